import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { anomalyDetectionStore } from '../../anomalies/anomaly.store.ts';
import { anomalyDetector } from '../../anomalies/anomalyDetector.ts';
import { coverageStore } from '../../coverage/coverage.store.ts';
import { coverageEvaluator } from '../../coverage/evaluateCoverage.ts';
import { outbox } from '../../events/outbox.store.ts';
import { executions } from '../../exports/job/execution.store.ts';
import { exportWatchStore } from '../../exports/job/export.store.ts';
import { staleExportReaper } from '../../exports/job/reapStaleExports.ts';
import { dueExportOpener } from '../../exports/schedules/openDueExports.ts';
import { scheduleReader } from '../../exports/schedules/schedule.store.ts';
import { createJob } from '../../jobs/createJob.ts';
import { dueJobs } from '../../jobs/dueJobs.ts';
import { jobStore } from '../../jobs/job.store.ts';
import { isFinished, newJob } from '../../jobs/job.ts';
import { rollupReader } from '../../rollups/rollup.store.ts';
import { systemClock } from '../../shared/clock.ts';
import { describeError, log } from '../../shared/log.ts';
import { resource, settings } from '../../shared/settings.ts';
import { tenantDirectory } from '../../tenancy/tenant.store.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { jobQueueFromEnv } from '../wiring/jobQueueFromEnv.ts';

/** Tenants looked after at once. */
const CONCURRENCY = 8;
/** Jobs looked through for such as nobody works on. */
const RECENT = 30;
/** A job that is older and not finished is had gone on with: its message may have been lost with who sent it. */
const STALE_MILLISECONDS = 2 * 60 * 60 * 1_000;

const jobs = jobStore(resource('table', 'jobs'));
const queue = jobQueueFromEnv();
const directory = tenantDirectory(resource('table', 'tenants'));
const events = outbox(resource('table', 'outbox'));

const createDueJobs = async (tenant: Tenant, now: number): Promise<void> => {
  for (const { ulid, request } of dueJobs(tenant, now)) {
    await createJob({ jobs, queue }, newJob(tenant, ulid, request, now));
  }
  const recent = await jobs.newest(tenant.tenant_id, RECENT);
  const stale = recent.filter(
    (job) => !isFinished(job) && now - Date.parse(job.created_at) > STALE_MILLISECONDS,
  );
  for (const job of stale) await queue.send(job);
};

const exports = exportWatchStore(resource('table', 'exports'));
const exportRuns = executions(resource('stateMachine', 'exports'));

const scheduledTasks: Readonly<Record<string, (tenant: Tenant, now: number) => Promise<void>>> = {
  jobs: createDueJobs,
  anomalies: anomalyDetector({
    anomalies: anomalyDetectionStore(resource('table', 'anomalies')),
    rollups: rollupReader(resource('table', 'rollups')),
    outbox: events,
  }),
  exports: dueExportOpener({
    schedules: scheduleReader(resource('table', 'exports')),
    exports,
    executions: exportRuns,
  }),
  coverage: coverageEvaluator({ coverage: coverageStore(resource('table', 'coverage')), outbox: events }),
};

/** Every chore by itself: what fails leaves the others alone, and is due again at the next turn. */
const runScheduledTasks = async (tenant: Tenant, now: number): Promise<void> => {
  for (const [chore, run] of Object.entries(scheduledTasks)) {
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

const reapStaleExports = staleExportReaper(
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
  const reaping = reapStaleExports().catch((error: unknown) => {
    log({ level: 'error', message: 'the schedule could not look after exports', ...describeError(error) });
  });
  for await (const tenants of directory.pages()) {
    await pMap(tenants, (tenant) => runScheduledTasks(tenant, now), { concurrency: CONCURRENCY });
  }
  await reaping;
};
