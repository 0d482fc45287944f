import type { Granularity } from '../../../../schemas/chargeback/focus.ts';
import { DAY_MS, HOUR_MS } from '../../../../schemas/durations.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../../platform/shared/time/month.ts';

/** The FOCUS charge period of a row. Epoch milliseconds, `end` excluded. */
export interface ChargePeriod {
  readonly start: number;
  readonly end: number;
}

/** A single call gets one second: FOCUS uses whole seconds, and the end must be later than the start. */
const LENGTH_MS = { record: 1_000, hour: HOUR_MS, day: DAY_MS } as const;

/** The charge period of a call. It stays within the call's UTC month, so a row has one billing period. */
export const chargePeriodOf = (occurredAt: number, granularity: Granularity): ChargePeriod => {
  if (granularity === 'month') {
    const month = monthOf(occurredAt);
    return { start: startOfMonth(month), end: startOfNextMonth(month) };
  }
  const length = LENGTH_MS[granularity];
  const start = Math.floor(occurredAt / length) * length;
  return { start, end: start + length };
};
