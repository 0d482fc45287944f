import * as z from 'zod';
import { SEVERAL } from '../../schemas/costAllocationTags.ts';
import { REPORT_MONTHS_MAXIMUM } from '../../schemas/reports.ts';
import { DAY_MS, HOUR_MS } from '../shared/time/durations.ts';
import { toIso } from '../shared/time/toIso.ts';

/**
 * The tag keys that reports can group by, by the first UTC day on which they are in force, in chronological order. The keys
 * of a day never change once it has begun: suppression partitions the calls of a day by them, and the sums of two partitions
 * of the same calls could be subtracted.
 */
export const CostAllocationTags = z.array(z.object({ from: z.iso.date(), keys: z.array(z.string()) }));
export type CostAllocationTags = z.infer<typeof CostAllocationTags>;

/** A day on which keys are in force that a tenant has from its creation on, whatever the time of its calls. */
const ALWAYS = '0001-01-01';
/** A process may use settings this long after they changed. */
const SETTINGS_AGE_MAXIMUM_MS = HOUR_MS;

const MONTH_MAXIMUM_MS = 31 * DAY_MS;

const dayOf = (at: number): string => toIso(at).slice(0, 10);

/** The keys of a new tenant. */
export const initialTagKeys = (keys: readonly string[]): CostAllocationTags =>
  keys.length === 0 ? [] : [{ from: ALWAYS, keys: [...keys].sort() }];

/** The keys that are in force on the UTC day of an instant (epoch milliseconds), sorted. */
export const tagKeysOn = (tags: CostAllocationTags, at: number): readonly string[] => {
  const day = dayOf(at);
  return tags.findLast(({ from }) => from <= day)?.keys ?? [];
};

/** The keys that were set last, and the first day on which they are in force; null if they always were. */
export const latestTagKeys = (
  tags: CostAllocationTags,
): { readonly keys: readonly string[]; readonly from: string | null } => {
  const { keys, from } = tags.at(-1) ?? { keys: [], from: ALWAYS };
  return { keys, from: from === ALWAYS ? null : from };
};

/**
 * Replaces the keys from the next UTC day on, or from the day after it in the last hour of a day. `now` is epoch
 * milliseconds. Keys that were replaced before the oldest call that a report can cover are dropped.
 */
export const withTagKeys = (
  tags: CostAllocationTags,
  keys: readonly string[],
  now: number,
): CostAllocationTags => {
  const oldest = dayOf(now - REPORT_MONTHS_MAXIMUM * MONTH_MAXIMUM_MS);
  const sorted = [...keys].sort();
  if (latestTagKeys(tags).keys.join() === sorted.join()) return tags;
  const from = dayOf(now + SETTINGS_AGE_MAXIMUM_MS + DAY_MS);
  const inForce = tags.filter((one, index) => {
    const next = tags[index + 1];
    return one.from < from && (next === undefined || next.from >= oldest);
  });
  return tagKeysOn(inForce, Date.parse(from)).join() === sorted.join()
    ? inForce
    : [...inForce, { from, keys: sorted }];
};

/**
 * The value of each key among the tags of a call, by key. Null if the call has no tag of the key, and {@link SEVERAL} if it
 * has several.
 */
export const tagValues = (
  tags: readonly string[],
  keys: readonly string[],
): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    keys.map((key) => {
      const values = new Set(
        tags.filter((tag) => tag.startsWith(`${key}:`)).map((tag) => tag.slice(key.length + 1)),
      );
      const [only = null] = values;
      return [key, values.size > 1 ? SEVERAL : only];
    }),
  );
