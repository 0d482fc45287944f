import { randomUUID } from 'node:crypto';
import { TRAINING_INTERVAL_MS } from '../../../schemas/attribution/models.ts';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import { dueAllocationCreator } from '../../attribution/allocation/createDueAllocations.ts';
import { dueNodeHourCreator } from '../../attribution/allocation/nodeHours/createDueNodeHours.ts';
import { dueTrainingCreator } from '../../attribution/training/createDueTraining.ts';
import { dueExportOpener } from '../../chargeback/exports/schedules/openDueExports.ts';
import { reportSender } from '../../delivery/notifications/channels/sendReport.ts';
import { anomalyDetectionStore } from '../../insight/anomalies/anomaly.store.ts';
import { anomalyDetector } from '../../insight/anomalies/anomalyDetector.ts';
import { muteStore } from '../../insight/anomalies/mutes/mute.store.ts';
import { forecastEvaluator } from '../../insight/budgets/alerts/forecastEvaluator.ts';
import { budgetEvaluationStore } from '../../insight/budgets/budget.store.ts';
import { coverageEvaluator } from '../../insight/coverage/evaluateCoverage.ts';
import { dueReportSender } from '../../insight/subscriptions/sendDueReports.ts';
import { archiveDirectory } from '../../ledger/archive/archiveDirectory.store.ts';
import { CLOSING_MS, dayCloser } from '../../ledger/archive/closing/closeDueDays.ts';
import { completenessReader } from '../../ledger/freshness/completeTotals.ts';
import { periodFollower } from '../../ledger/freshness/followPeriods.ts';
import { progressStore } from '../../ledger/freshness/progress.store.ts';
import { servedPeriods } from '../../ledger/freshness/servedPeriods.store.ts';
import { monthReader } from '../../ledger/records/month.store.ts';
import { totalsTasks } from '../../ledger/rollups/checks/sweepTotals.ts';
import { QUARTER_MS } from '../../ledger/rollups/grain.ts';
import { pendingMarkStore } from '../../ledger/rollups/marks/pendingMark.store.ts';
import { rollupQueue } from '../../ledger/rollups/marks/queue.aws.ts';
import { readOpenPeriods } from '../../ledger/rollups/openPeriod.store.ts';
import { periodVersionReader } from '../../ledger/rollups/periodVersions.store.ts';
import { createJob } from '../../platform/jobs/createJob.ts';
import { staleJobResender } from '../../platform/jobs/resendStaleJobs.ts';
import { taskRuns } from '../../platform/schedule/taskRuns.store.ts';
import { type TenantTask, tenantTaskRunner } from '../../platform/schedule/tenantTasks.ts';
import { delayedQueue } from '../../platform/shared/aws/delayedQueue.aws.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { settings } from '../../platform/shared/settings.ts';
import { pricesRead } from '../stores/artefacts.ts';
import { nodeHoursRead } from '../stores/attribution.ts';
import { exportRunsManage } from '../stores/chargeback/exportRuns.ts';
import { exportsManage } from '../stores/chargeback/exports.ts';
import { closingsRead } from '../stores/chargeback/periods.ts';
import { reportMessagesAdd } from '../stores/delivery.ts';
import { environment } from '../stores/environment.ts';
import { accessRead } from '../stores/identity.ts';
import { coverageEvaluate, reportSubscriptionsRead, savingDismissalsRead } from '../stores/insight.ts';
import { rollupsRead } from '../stores/ledger.ts';
import { jobsSend, jobsWrite, outboxAppend, tenantsRead } from '../stores/platform.ts';
import { progressRead } from '../stores/progress.ts';
import { storesIn } from '../stores/provider.ts';
import { hasTime } from './roundsFromEnv.ts';

const { clock, resourceOf } = environment;

/**
 * The work that is due for each tenant, configured from the environment. Its totals come first: all other work reads them.
 */
const tasksFromEnv = (): readonly TenantTask[] => {
  const {
    jobs,
    jobQueue: queue,
    outbox,
    ...stores
  } = storesIn(environment, {
    accessRead,
    closingsRead,
    coverageEvaluate,
    exportRunsManage,
    exportsManage,
    jobsSend,
    jobsWrite,
    nodeHoursRead,
    outboxAppend,
    pricesRead,
    progressRead,
    reportMessagesAdd,
    reportSubscriptionsRead,
    rollupsRead,
    savingDismissalsRead,
    tenantsRead,
  });
  const hourly = (name: string, run: TenantTask['run']): TenantTask => ({ name, periodMs: HOUR_MS, run });
  const pendingMarks = pendingMarkStore(resourceOf('marks.list'));
  const progress = progressStore(resourceOf('progress.read'));
  const readCompleteness = completenessReader({ progress, pendingMarks, clock });
  const versions = periodVersionReader(resourceOf('rollups.read'));
  const follow = periodFollower({
    versions,
    served: servedPeriods(resourceOf('jobs.write')),
    readCompleteness,
    hasTime,
    newClaim: randomUUID,
  });
  const closeDays = dayCloser({
    jobs,
    queue,
    versions,
    readCompleteness,
    directory: archiveDirectory(resourceOf('ledger.read')),
    monthsOf: monthReader(resourceOf('ledger.read')),
  });
  const detectAnomalies = anomalyDetector({
    anomalies: anomalyDetectionStore(resourceOf('anomalies.detect')),
    mutes: muteStore(resourceOf('anomalies.detect')),
    rollups: stores.rollups,
    outbox,
    follow,
  });
  const openExports = dueExportOpener({
    ...stores,
    outbox,
    baseUrl: settings.BASE_URL,
    follow,
  });
  const sendReports = dueReportSender({
    ...stores,
    stores,
    loadReader: async () => (await import('../../insight/subscriptions/readReport.ts')).readReport,
    send: reportSender({
      store: stores.reportMessages,
      queues: {
        own: delayedQueue(resourceOf('reportMessages.mail')),
        deliveries: delayedQueue(resourceOf('reportMessages.post')),
      },
      newClaim: randomUUID,
    }),
    follow,
  });
  const allocate = dueAllocationCreator({
    follow,
    createJob: (job) => createJob({ jobs, queue }, job),
  });
  const divideNodeHours = dueNodeHourCreator({
    poolsOf: stores.tenants.nodePools,
    follow,
    createJob: (job) => createJob({ jobs, queue }, job),
  });
  const resendStaleJobs = staleJobResender({ jobs, queue });
  const evaluateCoverage = coverageEvaluator({ coverage: stores.coverage, outbox });
  const evaluateForecasts = forecastEvaluator({
    budgets: budgetEvaluationStore(resourceOf('budgets.evaluate')),
    rollups: stores.rollups,
    outbox,
    hasTime,
  });
  return [
    ...totalsTasks({
      pendingMarks,
      openPeriods: (tenantId) => readOpenPeriods(resourceOf('rollups.read'), tenantId),
      queue: rollupQueue(resourceOf('rollups.mark')),
    }),
    {
      name: 'training',
      periodMs: TRAINING_INTERVAL_MS,
      run: dueTrainingCreator({ jobs, queue, progress }),
    },
    hourly('jobs', (tenant, { now }) => resendStaleJobs(tenant, now)),
    hourly('allocation', (tenant, { now }) => allocate(tenant, now)),
    { name: 'nodeHours', periodMs: QUARTER_MS, run: (tenant, { now }) => divideNodeHours(tenant, now) },
    {
      // Four times an hour: an hour is complete some minutes after its end.
      name: 'hourlyAnomalies',
      periodMs: QUARTER_MS,
      run: (tenant, { now }) => detectAnomalies(tenant, 'hour', now),
    },
    hourly('dailyAnomalies', (tenant, { now }) => detectAnomalies(tenant, 'day', now)),
    hourly('exports', (tenant, { now }) => openExports(tenant, now)),
    hourly('reports', (tenant, { now }) => sendReports(tenant, now)),
    hourly('budgetForecasts', (tenant, { now }) => evaluateForecasts(tenant, now)),
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
    runs: taskRuns(resourceOf('jobs.write')),
    clock,
    hasTime,
    newClaim: randomUUID,
    onFailure: (task, { tenant_id }, error) =>
      log({ level: 'error', message: `scheduled task failed: ${task}`, tenant_id, ...describeError(error) }),
  });
