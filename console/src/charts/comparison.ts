import type { PreviousTotals, UsageReport } from '../../../sdk/typescript/src/types.ts';
import type { Measure } from '../format/amount.ts';
import { magnitude } from '../format/decimal.ts';
import { DAY_MS } from '../format/time.ts';
import { centralOf } from './usage.ts';

/**
 * Whether the period before has calls on more than half of its days. A tenant that started in the middle of it would show a
 * growth that is none.
 */
export const isComparable = ({ previous, period }: Pick<UsageReport, 'previous' | 'period'>): boolean => {
  const days = (Date.parse(period.to) - Date.parse(period.from)) / DAY_MS;
  return previous !== undefined && previous.days_with_calls > days / 2;
};

/** The relative change from the sums of the period before. Null if there is nothing to compare with. */
export const changeOf = (
  amount: string | null,
  previous: PreviousTotals | undefined,
  measure: Measure,
): number | null => {
  const past = magnitude(previous === undefined ? null : centralOf(previous, measure));
  return amount === null || past <= 0 ? null : magnitude(amount) / past - 1;
};
