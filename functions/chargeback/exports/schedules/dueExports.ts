import type { ExportSchedule, StoredExport } from '../../../../schemas/chargeback/exports.ts';
import { DAY_MS, HOUR_MS } from '../../../../schemas/durations.ts';
import { adjustedPeriod, type Closings, closingOf } from '../../../insight/periods/closings.ts';
import type { FollowedPeriod, ServedPeriod } from '../../../ledger/freshness/followPeriods.ts';
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

export interface DueExport extends Interval {
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

const isWholeMonth = ({ from, to }: Interval): boolean => startOfNextMonth(monthOf(from)) === to;

/** The exports that any of these schedules may need at `now` (epoch milliseconds): the latest of each kind. */
export const dueAt = (schedules: readonly Pick<ExportSchedule, 'every'>[], now: number): DueExport[] => {
  const months = [lastMonth(now, DELAY_MS, 'provisional'), lastMonth(now, FINAL_DELAY_MS, 'final')];
  const soFar = monthSoFar(now);
  return schedules.some(({ every }) => every === 'day') && !isWholeMonth(soFar) ? [soFar, ...months] : months;
};

/** With the totals that its files depend on: the first open month has the corrections of all closed ones. */
export const withCorrections = (due: DueExport, closings: Closings): DueExport & FollowedPeriod => {
  const [first] = closings;
  return first === undefined || adjustedPeriod(closings) !== monthOf(due.from)
    ? due
    : { ...due, since: startOfMonth(first.month) };
};

/**
 * Which export of a due period this is, and since when it is due. The files of a closed month follow its close, so it has one
 * export for each close, whatever its totals do. Another one is exported again when its totals have changed.
 */
const turnOf = (
  due: DueExport,
  { isAgain, digest }: Pick<ServedPeriod, 'isAgain' | 'digest'>,
  closings: Closings,
  now: number,
): { readonly at: number; readonly turn: readonly string[] } => {
  const closing = closingOf(closings, monthOf(due.from));
  if (closing !== undefined)
    return { at: Math.max(due.at, Date.parse(closing.closed_at)), turn: [closing.as_of] };
  return isAgain ? { at: startOf('day', now), turn: [String(digest)] } : { at: due.at, turn: [] };
};

/**
 * The export of a schedule for a due period, of totals with `digest`. Null for one that was due before the schedule was
 * created, that the schedule does not make, or whose residency lane the tenant no longer has. Its id is derived from
 * schedule, period, edition and turn.
 */
export const exportOf = (
  tenant: Pick<Tenant, 'tenant_id' | 'tag' | 'residency'>,
  schedule: ExportSchedule,
  due: DueExport,
  served: Pick<ServedPeriod, 'isAgain' | 'digest'>,
  closings: Closings,
  now: number,
): StoredExport | null => {
  const { residency } = schedule;
  if (residency !== null && !tenant.residency.includes(residency)) return null;
  if (schedule.every === 'month' && !isWholeMonth(due)) return null;
  if (due.at <= Date.parse(schedule.created_at)) return null;
  const period = { from: toIso(due.from), to: toIso(due.to) };
  const { at, turn } = turnOf(due, served, closings, now);
  const ulid = ulidOf(
    at,
    sha256Of('scheduled export', schedule.id, period.from, period.to, due.edition, ...turn),
  );
  return newExport(
    tenant,
    { ...schedule.request, period },
    {
      ulid,
      at: now,
      by: schedule.id,
      residency,
      // The least. The opener sets the basis from the scopes that the creator still has.
      basis: 'cohorts',
      edition: due.edition,
    },
  );
};
