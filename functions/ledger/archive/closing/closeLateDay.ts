import { DAY_MS } from '../../../../schemas/durations.ts';
import { createJob } from '../../../platform/jobs/createJob.ts';
import type { JobQueue, JobStore } from '../../../platform/jobs/job.store.ts';
import { isFinished, newJob } from '../../../platform/jobs/job.ts';
import type { RoundSource } from '../../../platform/schedule/runRound.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';
import { ulidOf } from '../../../platform/shared/ulid.ts';
import type { TenantReader } from '../../../platform/tenancy/tenant.store.ts';
import { isSameContent, noContent } from '../../records/content.ts';
import { RETENTION_MILLISECONDS } from '../../records/ledgerItem.ts';
import type { UnarchivedDays } from '../../records/unarchivedDay.store.ts';
import { startOf } from '../../rollups/grain.ts';
import type { PeriodVersionReader } from '../../rollups/periodVersions.store.ts';
import type { ArchiveDirectory } from '../archiveDirectory.store.ts';
import { startOfDay } from '../archivedDay.ts';
import { HOT_MS } from '../hotDays.ts';
import { type LateDay, logLate } from './lateDays.ts';

const PAGE_DAYS = 250;

/** The days whose rows expire within 11 days, of all tenants: as the ledger lists them, whatever the schedule did before. */
export const lateDays = (unarchived: Pick<UnarchivedDays, 'page'>, clock: Clock): RoundSource<LateDay> => ({
  page: async (after) => {
    const { items, next } = await unarchived.page(utcDateOf(clock() - HOT_MS), after, PAGE_DAYS);
    return {
      items: items.map(({ tenant_id, day, written }) => ({ tenant_id, late_day: day, written })),
      next,
    };
  },
});

/**
 * Takes a day off the list if its files have all of its versions. Otherwise its rows would expire soon, so an alarm is
 * raised, and a job extends their expiry before it tries to write the day. There is one job for each day on which the day is
 * late, so a job that has stopped half-way does not stop the next one.
 */
export const lateDayCloser =
  (deps: {
    readonly unarchived: Pick<UnarchivedDays, 'remove'>;
    readonly tenants: Pick<TenantReader, 'tenant'>;
    readonly jobs: JobStore;
    readonly queue: JobQueue;
    readonly versions: PeriodVersionReader;
    readonly directory: ArchiveDirectory;
    readonly clock: Clock;
  }) =>
  async ({ tenant_id, late_day: day, written }: LateDay): Promise<void> => {
    const { unarchived, tenants, jobs, queue, versions, directory } = deps;
    const now = deps.clock();
    const start = startOfDay(day);
    const tenant = await tenants.tenant(tenant_id);
    const isErased = tenant === null || start <= now - RETENTION_MILLISECONDS;
    const [[files], stored] = await Promise.all([
      directory.list(tenant_id, day, day),
      versions.read(tenant_id, { grain: 'day', from: start, to: start + DAY_MS }),
    ]);
    if (isErased || (files !== undefined && isSameContent(files, stored.get(start) ?? noContent))) {
      return unarchived.remove({ tenant_id, day, written });
    }
    logLate(tenant_id, day, 'rows expire soon');
    const today = startOf('day', now);
    const ulid = ulidOf(today, sha256Of('late', tenant_id, 'archive', day));
    const job = newJob(tenant, ulid, { type: 'archive', day }, now);
    if (await createJob({ jobs, queue }, job)) return;
    const found = await jobs.read(job);
    if (found !== null && !isFinished(found.document)) await queue.send(job);
  };
