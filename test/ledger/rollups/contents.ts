import type { PeriodVersions } from '../../../functions/ledger/rollups/periodVersions.store.ts';

/** Stored sums of so many versions, by the start of their periods. Null: the sum is not stored yet. */
export const contentsOf = (
  counts: Iterable<readonly [start: number, versions: number | null]>,
): PeriodVersions =>
  new Map(
    [...counts].map(([start, versions]) => [
      start,
      versions === null ? null : { versions, digest: versions.toString(16).padStart(16, '0') },
    ]),
  );
