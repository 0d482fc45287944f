import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { executions } from '../../chargeback/exports/job/execution.store.ts';
import { exportWatchStore } from '../../chargeback/exports/job/export.store.ts';
import { staleExportReaper } from '../../chargeback/exports/job/reapStaleExports.ts';
import { dueExportOpener } from '../../chargeback/exports/schedules/openDueExports.ts';
import { scheduleReader } from '../../chargeback/exports/schedules/schedule.store.ts';
import { credentialReader } from '../../identity/access/credential.store.ts';
import { anomalyDetectionStore } from '../../insight/anomalies/anomaly.store.ts';
import { anomalyDetector } from '../../insight/anomalies/anomalyDetector.ts';
import { muteStore } from '../../insight/anomalies/mutes/mute.store.ts';
import { coverageStore } from '../../insight/coverage/coverage.store.ts';
import { coverageEvaluator } from '../../insight/coverage/evaluateCoverage.ts';
import { archiveDirectory } from '../../ledger/archive/archiveDirectory.store.ts';
import { dayCloser } from '../../ledger/archive/closing/closeDueDays.ts';
import { monthReader } from '../../ledger/records/month.store.ts';
import { dayVersionReader } from '../../ledger/rollups/dayVersions.store.ts';
import { rollupReader } from '../../ledger/rollups/rollup.store.ts';
import { createJob } from '../../platform/jobs/createJob.ts';
import { dueJobs } from '../../platform/jobs/dueJobs.ts';
import { jobStore } from '../../platform/jobs/job.store.ts';
import { isFinished, newJob } from '../../platform/jobs/job.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantDirectory } from '../../platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import { jobQueueFromEnv } from '../wiring/jobQueueFromEnv.ts';

/** The number of tenants processed in parallel. */
const CONCURRENCY = 8;
/** The number of recent jobs of a tenant that are checked for stale ones. */
const RECENT_JOBS = 30;
/** An unfinished job older than this is sent to the queue again: its message may have been lost in a crash. */
const STALE_AFTER_MS = 2 * 60 * 60 * 1_000;

const jobs = jobStore(resource('table', 'jobs'));
const queue = jobQueueFromEnv();
const directory = tenantDirectory(resource('table', 'tenants'));
const events = outbox(resource('table', 'outbox'));

const createDueJobs = async (tenant: Tenant, now: number): Promise<void> => {
  for (const { ulid, request } of dueJobs(tenant, now)) {
    await createJob({ jobs, queue }, newJob(tenant, ulid, request, now));
  }
  const recent = await jobs.newest(tenant.tenant_id, RECENT_JOBS);
  const stale = recent.filter((job) => !isFinished(job) && now - Date.parse(job.created_at) > STALE_AFTER_MS);
  for (const job of stale) await queue.send(job);
};

const exports = exportWatchStore(resource('table', 'exports'));
const exportRuns = executions(resource('stateMachine', 'exports'));

const scheduledTasks: Readonly<Record<string, (tenant: Tenant, now: number) => Promise<void>>> = {
  jobs: createDueJobs,
  archive: dayCloser({
    jobs,
    queue,
    days: dayVersionReader(resource('table', 'rollups')),
    directory: archiveDirectory(resource('table', 'ledger')),
    monthsOf: monthReader(resource('table', 'ledger')),
  }),
  anomalies: anomalyDetector({
    anomalies: anomalyDetectionStore(resource('table', 'anomalies')),
    mutes: muteStore(resource('table', 'anomalies')),
    rollups: rollupReader(resource('table', 'rollups')),
    outbox: events,
  }),
  exports: dueExportOpener({
    schedules: scheduleReader(resource('table', 'exports')),
    exports,
    executions: exportRuns,
    credentials: credentialReader(resource('table', 'access')),
    outbox: events,
    baseUrl: settings.BASE_URL,
  }),
  coverage: coverageEvaluator({ coverage: coverageStore(resource('table', 'coverage')), outbox: events }),
};

/** Runs each task independently. A failure is logged and does not stop the others; the next run repeats the task. */
const runScheduledTasks = async (tenant: Tenant, now: number): Promise<void> => {
  for (const [task, run] of Object.entries(scheduledTasks)) {
    await run(tenant, now).catch((error: unknown) => {
      log({
        level: 'error',
        message: `scheduled task failed: ${task}`,
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
      message: 'reaping a stale export failed',
      tenant_id,
      ...describeError(error),
    }),
);

/** Runs the scheduled tasks of every tenant, and reaps stale exports of all tenants. */
export const handler = async (): Promise<void> => {
  const now = systemClock();
  const reaping = reapStaleExports().catch((error: unknown) => {
    log({ level: 'error', message: 'reaping stale exports failed', ...describeError(error) });
  });
  for await (const tenants of directory.pages()) {
    await pMap(tenants, (tenant) => runScheduledTasks(tenant, now), { concurrency: CONCURRENCY });
  }
  await reaping;
};
