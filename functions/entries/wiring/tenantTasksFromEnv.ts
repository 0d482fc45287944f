import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import { TRAINING_INTERVAL_MS } from '../../../schemas/models.ts';
import { dueTrainingCreator } from '../../attribution/training/createDueTraining.ts';
import { executions } from '../../chargeback/exports/job/execution.aws.ts';
import { exportWatchStore } from '../../chargeback/exports/job/export.store.ts';
import { dueExportOpener } from '../../chargeback/exports/schedules/openDueExports.ts';
import { scheduleReader } from '../../chargeback/exports/schedules/schedule.store.ts';
import { credentialReader } from '../../identity/access/credential.store.ts';
import { anomalyDetectionStore } from '../../insight/anomalies/anomaly.store.ts';
import { anomalyDetector } from '../../insight/anomalies/anomalyDetector.ts';
import { muteStore } from '../../insight/anomalies/mutes/mute.store.ts';
import { coverageStore } from '../../insight/coverage/coverage.store.ts';
import { coverageEvaluator } from '../../insight/coverage/evaluateCoverage.ts';
import { archiveDirectory } from '../../ledger/archive/archiveDirectory.store.ts';
import { CLOSING_MS, dayCloser } from '../../ledger/archive/closing/closeDueDays.ts';
import { progressStore } from '../../ledger/freshness/progress.store.ts';
import { monthReader } from '../../ledger/records/month.store.ts';
import { dayVersionReader } from '../../ledger/rollups/dayVersions.store.ts';
import { readOpenPeriods } from '../../ledger/rollups/openPeriod.store.ts';
import { pendingMarkStore } from '../../ledger/rollups/pendingMark.store.ts';
import { rollupQueue } from '../../ledger/rollups/queue.aws.ts';
import { rollupReader } from '../../ledger/rollups/rollup.store.ts';
import { totalsTasks } from '../../ledger/rollups/sweepTotals.ts';
import { dueJobCreator } from '../../platform/jobs/createDueJobs.ts';
import { jobStore } from '../../platform/jobs/job.store.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { taskRuns } from '../../platform/schedule/taskRuns.store.ts';
import { type TenantTask, tenantTaskRunner } from '../../platform/schedule/tenantTasks.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { resource, settings } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { jobQueueFromEnv } from './jobQueueFromEnv.ts';
import { hasTime } from './roundsFromEnv.ts';

const table = (name: Parameters<typeof resource>[1]): string => resource('table', name);

/**
 * The work that is due for each tenant, configured from the environment. Its totals come first: all other work reads them.
 */
const tasksFromEnv = (): readonly TenantTask[] => {
  const jobs = jobStore(table('jobs'));
  const queue = jobQueueFromEnv();
  const events = outbox(table('outbox'));
  const hourly = (name: string, run: TenantTask['run']): TenantTask => ({ name, periodMs: HOUR_MS, run });
  const closeDays = dayCloser({
    jobs,
    queue,
    days: dayVersionReader(table('rollups')),
    directory: archiveDirectory(table('ledger')),
    monthsOf: monthReader(table('ledger')),
  });
  const detectAnomalies = anomalyDetector({
    anomalies: anomalyDetectionStore(table('anomalies')),
    mutes: muteStore(table('anomalies')),
    rollups: rollupReader(table('rollups')),
    outbox: events,
  });
  const openExports = dueExportOpener({
    schedules: scheduleReader(table('exports')),
    exports: exportWatchStore(table('exports')),
    executions: executions(resource('stateMachine', 'exports')),
    credentials: credentialReader(table('access')),
    outbox: events,
    baseUrl: settings.BASE_URL,
  });
  const evaluateCoverage = coverageEvaluator({ coverage: coverageStore(table('coverage')), outbox: events });
  return [
    ...totalsTasks({
      pendingMarks: pendingMarkStore(table('counters')),
      openPeriods: (tenantId) => readOpenPeriods(table('rollups'), tenantId),
      queue: rollupQueue(resource('queue', 'rollups')),
    }),
    {
      name: 'training',
      periodMs: TRAINING_INTERVAL_MS,
      run: dueTrainingCreator({ jobs, queue, progress: progressStore(table('counters')) }),
    },
    hourly('jobs', dueJobCreator({ jobs, queue })),
    hourly('anomalies', (tenant, { now }) => detectAnomalies(tenant, now)),
    hourly('exports', (tenant, { now }) => openExports(tenant, now)),
    hourly('coverage', (tenant, { now }) => evaluateCoverage(tenant, now)),
    {
      name: 'archive',
      periodMs: DAY_MS,
      offsetMs: CLOSING_MS,
      run: (tenant, { now }) => closeDays(tenant, now),
    },
  ];
};

/** Does what is due for a tenant. */
export const tenantTasksFromEnv = () =>
  tenantTaskRunner({
    tasks: tasksFromEnv(),
    runs: taskRuns(table('jobs')),
    clock: systemClock,
    hasTime,
    newClaim: randomUUID,
    onFailure: (task, { tenant_id }, error) =>
      log({ level: 'error', message: `scheduled task failed: ${task}`, tenant_id, ...describeError(error) }),
  });
