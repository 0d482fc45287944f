import type { ReportSubscription } from '../../../schemas/delivery/reportSubscriptions.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import type { Calendar } from '../../platform/shared/time/calendar.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { ulidOf } from '../../platform/shared/ulid.ts';

/** The last whole week or month that has ended at `now` (epoch milliseconds). */
export const lastPeriod = (every: ReportSubscription['every'], calendar: Calendar, now: number): Interval => {
  const to = calendar.startOf(every, now);
  return { from: calendar.shift(every, to, -1), to };
};

/**
 * The ULID of the report of a subscription about a period: the same whenever it is made. Null for a period that had ended before
 * the subscription was created.
 */
export const reportIdOf = (
  { id, created_at }: Pick<ReportSubscription, 'id' | 'created_at'>,
  { from, to }: Interval,
): string | null =>
  to <= Date.parse(created_at) ? null : ulidOf(to, sha256Of('report', id, String(from), String(to)));
