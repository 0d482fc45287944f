/** How far the totals of a tenant are behind. */
export interface TotalsLag {
  /** Whether calls are missing for longer than promised. */
  readonly isStale: boolean;
  /** Totals may lack records that were written since then, epoch milliseconds. Null if they lack none. */
  readonly incompleteSince: number | typeof UNKNOWN | null;
}

/** The pending changes cannot be read, and were not read before. */
export const UNKNOWN = 'unknown';

/**
 * Up to when totals are complete, of which the newest was computed at `newest`. Never later than `now`: a sum or a change of a clock
 * that was ahead tells nothing about the time ahead. Epoch milliseconds. Null without totals, and if nothing is known: an answer
 * must not claim that it is complete.
 */
export const completeUntil = (
  newest: number | null,
  { incompleteSince }: Pick<TotalsLag, 'incompleteSince'>,
  now: number,
): number | null =>
  newest === null || incompleteSince === UNKNOWN
    ? null
    : Math.min(newest, incompleteSince ?? Number.POSITIVE_INFINITY, now);
