import type { Granularity } from '../../../schemas/focus.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../shared/month.ts';

/** What a row is charged for, epoch milliseconds; `end` is excluded. */
export interface ChargePeriod {
  readonly start: number;
  readonly end: number;
}

/** A call has no length of its own here: FOCUS counts whole seconds, and an end lies behind its start. */
const LENGTH = { record: 1_000, hour: 3_600_000, day: 86_400_000 } as const;

/** The charge period of a call. It never leaves the call's month of UTC, so rows lie in one billing period. */
export const chargePeriodOf = (occurredAt: number, granularity: Granularity): ChargePeriod => {
  if (granularity === 'month') {
    const month = monthOf(occurredAt);
    return { start: startOfMonth(month), end: startOfNextMonth(month) };
  }
  const length = LENGTH[granularity];
  const start = Math.floor(occurredAt / length) * length;
  return { start, end: start + length };
};

/** The calendar month of UTC that a charge is billed in. */
export const billingPeriodOf = (start: number): ChargePeriod => chargePeriodOf(start, 'month');

/**
 * What is folded comes at the end of this period, epoch milliseconds its beginning: of the row's own, or where a row is a
 * call, of its day, which single calls fold into.
 */
export const suppressionPeriodOf = (start: number, granularity: Granularity): number =>
  chargePeriodOf(start, granularity === 'record' ? 'day' : granularity).start;
