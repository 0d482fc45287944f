import type { UsageReport } from '../../../sdk/typescript/src/types.ts';
import type { Measure } from '../format/amount.ts';
import { magnitude } from '../format/decimal.ts';
import { estimateOf } from './usage.ts';

/**
 * The relative change from the period before. Null if that period has data on half of its days or less: a tenant that
 * started in the middle of it would show a growth that is none.
 */
export const changeOf = (
  amount: string | null,
  before: Pick<UsageReport, 'data' | 'totals'>,
  days: number,
  measure: Measure,
): number | null => {
  const daysWithData = new Set(before.data.map(({ interval_start: start }) => start?.slice(0, 10))).size;
  const past = magnitude(estimateOf(before.totals, measure).central);
  if (amount === null || past <= 0 || daysWithData <= days / 2) return null;
  return magnitude(amount) / past - 1;
};
