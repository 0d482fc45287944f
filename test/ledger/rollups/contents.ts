import type { PeriodVersions } from '../../../functions/ledger/rollups/periodVersions.store.ts';

export const digestOf = (content: number): string => content.toString(16).padStart(16, '0');

/**
 * Stored sums by the start of their periods: each number stands for another version, and 0 for none. Null: the sum is not
 * stored yet. The number of versions does not tell them apart.
 */
export const contentsOf = (
  contents: Iterable<readonly [start: number, content: number | null]>,
): PeriodVersions =>
  new Map(
    [...contents].map(([start, content]) => [
      start,
      content === null ? null : { versions: Math.min(content, 1), digest: digestOf(content) },
    ]),
  );
