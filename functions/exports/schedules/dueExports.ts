import type { ExportSchedule, StoredExport } from '../../../schemas/exports.ts';
import { LENGTH, startOf } from '../../rollups/grain.ts';
import { sha256Of } from '../../shared/hash.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../shared/month.ts';
import { ulidOf } from '../../shared/ulid.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { newExport } from '../job/job.ts';

/** After midnight, when nearly all events of the day before are in, and what nobody was named for has been shared out. */
const DELAY = 3 * LENGTH.hour;
/** After the end of a month, when late events are in and its last day has been shared out for the second time. */
const FINAL_DELAY = 8 * LENGTH.day + DELAY;

interface Due {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly edition: NonNullable<StoredExport['edition']>;
}

/** The month that ended last, so long before `now` as `delay` says. */
const lastMonth = (now: number, delay: number, edition: Due['edition']): Due => {
  const to = startOfMonth(monthOf(now - delay));
  return { at: to + delay, from: startOfMonth(monthOf(to - 1)), to, edition };
};

/** The month so far, up to the midnight before; on a first day that is the month before. */
const monthSoFar = (now: number): Due => {
  const to = startOf('day', now - DELAY);
  return { at: to + DELAY, from: startOfMonth(monthOf(to - 1)), to, edition: 'provisional' };
};

const dueAt = ({ every }: Pick<ExportSchedule, 'every'>, now: number): Due[] => {
  const months = [lastMonth(now, DELAY, 'provisional'), lastMonth(now, FINAL_DELAY, 'final')];
  const isFirstDay = (due: Due): boolean => startOfNextMonth(monthOf(due.from)) === due.to;
  const soFar = monthSoFar(now);
  return every === 'month' || isFirstDay(soFar) ? months : [soFar, ...months];
};

/**
 * The exports of a schedule that are due at `now` (epoch milliseconds), whether or not they have been made: their ids
 * follow from schedule, period and edition. Only the last of each kind, and none that was due before there was a schedule,
 * or of a lane the tenant does not have any more.
 */
export const dueExports = (
  tenant: Pick<Tenant, 'tenant_id' | 'tag' | 'residency'>,
  schedule: ExportSchedule,
  now: number,
): StoredExport[] => {
  const { residency } = schedule;
  if (residency !== null && !tenant.residency.includes(residency)) return [];
  return dueAt(schedule, now)
    .filter(({ at }) => at > Date.parse(schedule.created_at))
    .map(({ at, from, to, edition }) => {
      const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const ulid = ulidOf(at, sha256Of('scheduled export', schedule.id, period.from, period.to, edition));
      const request = { ...schedule.request, period };
      return newExport(tenant, request, { ulid, at: now, by: schedule.id, residency, edition });
    });
};
