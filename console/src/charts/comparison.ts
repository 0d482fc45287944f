import type { UsageReport } from '../../../sdk/typescript/src/types.ts';
import type { Measure } from '../format/amount.ts';
import { magnitude } from '../format/decimal.ts';
import { DAY_MS } from '../format/time.ts';
import { estimateOf } from './usage.ts';

/**
 * Whether a daily report has data on more than half of the days of a period. A tenant that started in the middle of the
 * period before would show a growth that is none.
 */
export const isComparable = (
  { data }: Pick<UsageReport, 'data'>,
  { from, to }: { readonly from: number; readonly to: number },
): boolean => {
  const daysWithData = new Set(data.map(({ interval_start: start }) => start?.slice(0, 10))).size;
  return daysWithData > (to - from) / DAY_MS / 2;
};

/** The relative change from the period before. Null if the two cannot be compared. */
export const changeOf = (
  amount: string | null,
  before: Pick<UsageReport, 'data' | 'totals'>,
  period: { readonly from: number; readonly to: number },
  measure: Measure,
): number | null => {
  const past = magnitude(estimateOf(before.totals, measure).central);
  if (amount === null || past <= 0 || !isComparable(before, period)) return null;
  return magnitude(amount) / past - 1;
};
