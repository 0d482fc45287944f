import { DAY_MS, HOUR_MS } from '../../../../schemas/durations.ts';
import { createJob } from '../../../platform/jobs/createJob.ts';
import type { JobQueue, JobStore } from '../../../platform/jobs/job.store.ts';
import { newJob } from '../../../platform/jobs/job.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { isHeld } from '../../../platform/shared/time/lease.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';
import { ulidOf } from '../../../platform/shared/ulid.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { ReadCompleteness } from '../../freshness/completeTotals.ts';
import { RETENTION_MILLISECONDS } from '../../records/ledgerItem.ts';
import type { ReadMonths } from '../../records/month.store.ts';
import { startOf } from '../../rollups/grain.ts';
import type { PeriodVersionReader } from '../../rollups/periodVersions.store.ts';
import type { ArchiveDirectory } from '../archiveDirectory.store.ts';
import { startOfDay } from '../archivedDay.ts';
import { dueDays } from './dueDays.ts';
import { logLate } from './lateDays.ts';

/** The time after midnight UTC from which days are closed. Their totals are compared with the ledger an hour before. */
export const CLOSING_MS = 4 * HOUR_MS;
/**
 * A job that is not finished by then has lost its message, or fails again and again. It does not stop the next one: jobs of
 * a day exclude each other when they publish.
 */
const RUNNING_MAXIMUM_MS = 12 * HOUR_MS;
/** How long a day waits for totals that are complete. A file without them is written again. */
const WAIT_MS = 7 * DAY_MS;
/** Days that a tenant closes at most in one run. */
const DAYS_MAXIMUM = 40;

/**
 * Creates a job for each day of a tenant that is not in the archive, or has changed since. Call it once a day, from
 * {@link CLOSING_MS} on. The first run for a day is the night after the next: late events of the first day after it need no
 * second writing.
 */
export const dayCloser =
  (stores: {
    readonly jobs: JobStore;
    readonly queue: JobQueue;
    readonly versions: PeriodVersionReader;
    readonly readCompleteness: ReadCompleteness;
    readonly directory: ArchiveDirectory;
    readonly monthsOf: ReadMonths;
  }) =>
  async (tenant: Tenant, now: number): Promise<void> => {
    const { jobs, queue, versions, readCompleteness, directory, monthsOf } = stores;
    const { tenant_id } = tenant;
    const today = startOf('day', now);
    const period = { from: today - RETENTION_MILLISECONDS, to: today - DAY_MS };
    const [stored, archived, months] = await Promise.all([
      versions.read(tenant_id, { grain: 'day', ...period }),
      directory.list(tenant_id, utcDateOf(period.from)),
      monthsOf(tenant_id),
    ]);
    const changed = dueDays(stored, archived, new Set(months.map(({ month }) => month)), period, now);
    if (changed.length === 0) return;
    const isComplete = await readCompleteness(tenant_id);
    const due = changed.filter(({ day }) => {
      const from = startOfDay(day);
      return isComplete({ from, to: from + DAY_MS }) || now >= from + DAY_MS + WAIT_MS;
    });
    for (const { day, isLate } of due) if (isLate) logLate(tenant_id, day, 'no files');
    const unfinished = await jobs.listUnfinished(tenant_id);
    const running = new Set(
      unfinished.flatMap(({ request, created_at }) =>
        request.type === 'archive' &&
        isHeld({ until: Date.parse(created_at) + RUNNING_MAXIMUM_MS }, RUNNING_MAXIMUM_MS, now)
          ? [request.day]
          : [],
      ),
    );
    for (const { day } of due.filter((one) => !running.has(one.day)).slice(0, DAYS_MAXIMUM)) {
      const ulid = ulidOf(today, sha256Of('due', tenant_id, 'archive', day));
      await createJob({ jobs, queue }, newJob(tenant, ulid, { type: 'archive', day }, now));
    }
  };
