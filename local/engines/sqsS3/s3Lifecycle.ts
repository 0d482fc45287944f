import type { Expiration } from '../../template/buckets.ts';

interface StoredObject {
  key: string;
  lastModified: Date;
}

const DAY_MS = 86_400_000;

/** The keys that have expired at `now` (epoch milliseconds). If several rules match, the shortest applies. */
export const expiredKeys = (
  objects: readonly StoredObject[],
  rules: readonly Expiration[],
  now: number,
): string[] =>
  objects
    .filter(({ key, lastModified }) =>
      rules.some(({ prefix, days }) => key.startsWith(prefix) && expiry(lastModified, days) <= now),
    )
    .map(({ key }) => key);

/** The first midnight UTC after that number of days, as in S3. Epoch milliseconds. */
const expiry = (lastModified: Date, days: number): number =>
  Math.ceil((lastModified.getTime() + days * DAY_MS) / DAY_MS) * DAY_MS;
