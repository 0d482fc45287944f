import type { Granularity } from '../../schemas/focus.ts';
import { beginningOf, beginningOfNext, monthOf } from '../shared/month.ts';

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
    return { start: beginningOf(month), end: beginningOfNext(month) };
  }
  const length = LENGTH[granularity];
  const start = Math.floor(occurredAt / length) * length;
  return { start, end: start + length };
};

/** The calendar month of UTC that a charge is billed in. */
export const billingPeriodOf = (start: number): ChargePeriod => chargePeriodOf(start, 'month');

/**
 * Where the lines of a charge period are gathered: by day, so that a month never has to fit into memory at once, unless
 * a row is a month itself. Lines of different buckets never share a charge period, and buckets are in the order of time.
 */
export const bucketOf = ({ start, end }: ChargePeriod): number =>
  end - start > LENGTH.day ? start : chargePeriodOf(start, 'day').start;
