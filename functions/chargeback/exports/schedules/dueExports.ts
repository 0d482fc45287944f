import type { ExportSchedule, StoredExport } from '../../../../schemas/chargeback/exports.ts';
import { DAY_MS, HOUR_MS } from '../../../../schemas/durations.ts';
import { startOf } from '../../../ledger/rollups/grain.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../../platform/shared/time/month.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { ulidOf } from '../../../platform/shared/ulid.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { newExport } from '../job/job.ts';

/** Time after midnight at which nearly all events of the previous day have arrived and unattributed cost is allocated. */
const DELAY_MS = 3 * HOUR_MS;
/** Time after the end of a month at which late events have arrived and its last day has been allocated a second time. */
const FINAL_DELAY_MS = 8 * DAY_MS + DELAY_MS;

interface DueExport extends Interval {
  readonly at: number;
  readonly edition: NonNullable<StoredExport['edition']>;
}

/** The latest month that ended at least `delay` milliseconds before `now`. */
const lastMonth = (now: number, delay: number, edition: DueExport['edition']): DueExport => {
  const to = startOfMonth(monthOf(now - delay));
  return { at: to + delay, from: startOfMonth(monthOf(to - 1)), to, edition };
};

/** The current month up to the last midnight. On the first day of a month this is the whole previous month. */
const monthSoFar = (now: number): DueExport => {
  const to = startOf('day', now - DELAY_MS);
  return { at: to + DELAY_MS, from: startOfMonth(monthOf(to - 1)), to, edition: 'provisional' };
};

const dueAt = ({ every }: Pick<ExportSchedule, 'every'>, now: number): DueExport[] => {
  const months = [lastMonth(now, DELAY_MS, 'provisional'), lastMonth(now, FINAL_DELAY_MS, 'final')];
  const isFirstDay = (due: DueExport): boolean => startOfNextMonth(monthOf(due.from)) === due.to;
  const soFar = monthSoFar(now);
  return every === 'month' || isFirstDay(soFar) ? months : [soFar, ...months];
};

/**
 * The exports of a schedule that are due at `now` (epoch milliseconds), whether or not they exist already. Their ids are
 * derived from schedule, period and edition. Returns only the latest of each kind, none that was due before the schedule was
 * created, and none when the tenant no longer has the schedule's residency lane.
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
      const period = { from: toIso(from), to: toIso(to) };
      const ulid = ulidOf(at, sha256Of('scheduled export', schedule.id, period.from, period.to, edition));
      const request = { ...schedule.request, period };
      return newExport(tenant, request, {
        ulid,
        at: now,
        by: schedule.id,
        residency,
        // The least. The opener sets the basis from the scopes that the creator still has.
        basis: 'cohorts',
        edition,
      });
    });
};
