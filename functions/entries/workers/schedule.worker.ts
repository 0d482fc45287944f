import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { anomalyWatchStore } from '../../anomalies/anomaly.store.ts';
import { anomalyWatch } from '../../anomalies/detect.ts';
import { coverageStore } from '../../coverage/coverage.store.ts';
import { coverageWatch } from '../../coverage/watch.ts';
import { outbox } from '../../events/outbox.store.ts';
import { executions } from '../../exports/job/execution.store.ts';
import { exportWatchStore } from '../../exports/job/export.store.ts';
import { exportSweep } from '../../exports/job/sweep.ts';
import { scheduledExports } from '../../exports/schedules/open.ts';
import { scheduleReader } from '../../exports/schedules/schedule.store.ts';
import { dueJobs } from '../../jobs/due.ts';
import { jobStore } from '../../jobs/job.store.ts';
import { isFinished, newJob } from '../../jobs/job.ts';
import { openJob } from '../../jobs/open.ts';
import { rollupReader } from '../../rollups/rollup.store.ts';
import { systemClock } from '../../shared/clock.ts';
import { describeError, log } from '../../shared/log.ts';
import { resource, settings } from '../../shared/settings.ts';
import { tenantDirectory } from '../../tenancy/tenant.store.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { jobQueueHere } from '../wiring/jobQueueHere.ts';

/** Tenants looked after at once. */
const CONCURRENCY = 8;
/** Jobs looked through for such as nobody works on. */
const RECENT = 30;
/** A job that is older and not finished is had gone on with: its message may have been lost with who sent it. */
const STALE_MILLISECONDS = 2 * 60 * 60 * 1_000;

const jobs = jobStore(resource('table', 'jobs'));
const queue = jobQueueHere();
const directory = tenantDirectory(resource('table', 'tenants'));
const events = outbox(resource('table', 'outbox'));

const openDueJobs = async (tenant: Tenant, now: number): Promise<void> => {
  for (const { ulid, request } of dueJobs(tenant, now)) {
    await openJob({ jobs, queue }, newJob(tenant, ulid, request, now));
  }
  const recent = await jobs.newest(tenant.tenant_id, RECENT);
  const stale = recent.filter(
    (job) => !isFinished(job) && now - Date.parse(job.created_at) > STALE_MILLISECONDS,
  );
  for (const job of stale) await queue.send(job);
};

const exports = exportWatchStore(resource('table', 'exports'));
const exportRuns = executions(resource('stateMachine', 'exports'));

const chores: Readonly<Record<string, (tenant: Tenant, now: number) => Promise<void>>> = {
  jobs: openDueJobs,
  anomalies: anomalyWatch({
    anomalies: anomalyWatchStore(resource('table', 'anomalies')),
    rollups: rollupReader(resource('table', 'rollups')),
    outbox: events,
  }),
  exports: scheduledExports({
    schedules: scheduleReader(resource('table', 'exports')),
    exports,
    executions: exportRuns,
  }),
  coverage: coverageWatch({ coverage: coverageStore(resource('table', 'coverage')), outbox: events }),
};

/** Every chore by itself: what fails leaves the others alone, and is due again at the next turn. */
const lookAfter = async (tenant: Tenant, now: number): Promise<void> => {
  for (const [chore, run] of Object.entries(chores)) {
    await run(tenant, now).catch((error: unknown) => {
      log({
        level: 'error',
        message: `the schedule could not look after ${chore}`,
        tenant_id: tenant.tenant_id,
        ...describeError(error),
      });
    });
  }
};

const sweepExports = exportSweep(
  {
    exports,
    executions: exportRuns,
    outbox: events,
    clock: systemClock,
    attempt: randomUUID,
    baseUrl: settings.BASE_URL,
  },
  ({ tenant_id }, error) =>
    log({
      level: 'error',
      message: 'the schedule could not look after an export',
      tenant_id,
      ...describeError(error),
    }),
);

/** Does for every tenant what is due, and looks after the exports of all of them. */
export const handler = async (): Promise<void> => {
  const now = systemClock();
  const sweeping = sweepExports().catch((error: unknown) => {
    log({ level: 'error', message: 'the schedule could not look after exports', ...describeError(error) });
  });
  for await (const tenants of directory.pages()) {
    await pMap(tenants, (tenant) => lookAfter(tenant, now), { concurrency: CONCURRENCY });
  }
  await sweeping;
};
