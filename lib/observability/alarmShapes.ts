import { MathExpression, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { WorkerShape } from '../../schemas/platform/workers/workerShape.ts';
import { workerNames, workers } from '../../schemas/platform/workers.ts';
import { scheduleNameOf } from '../compute/schedules.ts';
import { functionNameOf } from '../names.ts';
import type { Settings } from '../settings.ts';
import { type AlarmShape, byName, FIVE_MINUTES, HOUR, MINUTE } from './alarmShape.ts';
import { BusinessMetrics } from './businessMetrics.ts';
import { failedInvocations } from './failedInvocations.ts';
import { ledgerCheckShape } from './ledgerChecks.ts';
import { failureShare } from './objectives.ts';
import { queueAlarms } from './queueAlarms.ts';

/** What the alarms and the dashboard watch. Other stacks declare it, so it is named and not referenced. */
export interface Watched {
  readonly settings: Settings;
  readonly apiId: string;
  /** The ARN of the state machine of exports. */
  readonly exports: string;
}

/** Throttled calls of all tables in five minutes above which records become late. */
const THROTTLED_CALLS = 1_000;
/** A change should be in the totals after 90 seconds. From then on, reports and budgets say that they are stale. */
const TOTALS_AGE_MS = 5 * 60_000;
const UNAUTHENTICATED_REQUESTS = 3_000;
/** Of the 1,000 concurrent executions that the deployment guide asks for. */
const CONCURRENT_EXECUTIONS = 800;
/** SES reviews an account at 5 %. */
const BOUNCE_RATE = 0.05;
const API_P99_MS = 2_000;
/** A fault of 10 % of the requests of a unit that has a tenth of the traffic. */
const FAILED_SHARE = 1;
/** One failed request of a quiet API must not roll back a deployment. */
const FAILED_REQUESTS = 5;

/** Ends a running deployment of the API: it is rolled back. */
export const apiFailingShape = (apiId: string): AlarmShape => ({
  metric: failureShare(apiId, MINUTE, FAILED_REQUESTS),
  threshold: FAILED_SHARE,
  periods: 1,
  severity: 'ticket',
  summary: 'One percent of the requests in a minute failed. A deployment that is running is rolled back.',
  runbook: 'deploy-and-roll-back',
});

/** The workers that consume a table stream. */
const streamConsumers = workerNames.filter((name) => {
  const { streams = [] }: WorkerShape = workers[name];
  return streams.length > 0;
});

const functionShapesOf = ({ settings }: Watched): Record<string, AlarmShape> => {
  // Without dimensions, Lambda reports the sum of the account.
  const account = (metricName: string, statistic: string) =>
    new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period: FIVE_MINUTES });
  return {
    FunctionErrors: {
      metric: failedInvocations(settings),
      threshold: 1,
      periods: 1,
      severity: 'ticket',
      summary: 'A function crashed or timed out. Rejected requests and failed messages are not counted.',
      runbook: 'function-errors',
    },
    FunctionThrottles: {
      metric: account('Throttles', 'Sum'),
      threshold: 1,
      periods: 3,
      severity: 'ticket',
      summary: 'Lambda refused to start functions for 15 minutes: a concurrency limit is reached.',
      runbook: 'quotas',
    },
    Concurrency: {
      metric: account('ConcurrentExecutions', 'Maximum'),
      threshold: CONCURRENT_EXECUTIONS,
      periods: 3,
      severity: 'ticket',
      summary: `More than ${CONCURRENT_EXECUTIONS} functions run at the same time in the account.`,
      runbook: 'quotas',
    },
    ScheduleMissed: {
      metric: new Metric({
        namespace: 'AWS/Events',
        metricName: 'Invocations',
        dimensionsMap: { RuleName: scheduleNameOf(settings.deployment, 'jobs') },
        statistic: 'Sum',
        period: HOUR,
      }),
      threshold: 1,
      below: true,
      periods: 3,
      missingData: TreatMissingData.BREACHING,
      severity: 'ticket',
      summary:
        'The schedule has sent nothing for three hours. Jobs, exports, anomalies and the archive are late.',
      runbook: 'records-stopped',
    },
    ...byName(streamConsumers, 'WorkerBehind', (name) => ({
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'IteratorAge',
        dimensionsMap: { FunctionName: functionNameOf(settings.deployment, 'workers', name) },
        statistic: 'Maximum',
        period: MINUTE,
      }),
      threshold: FIVE_MINUTES.toMilliseconds(),
      periods: 3,
      severity: 'ticket',
      summary: `Worker ${name} is more than 5 minutes behind its table stream. Webhooks are delayed.`,
      runbook: 'changes-behind',
    })),
  };
};

const serviceShapesOf = ({ settings, apiId, exports }: Watched): Record<string, AlarmShape> => {
  const business = new BusinessMetrics(settings);
  const executions = (metricName: string) =>
    new Metric({
      namespace: 'AWS/States',
      metricName,
      dimensionsMap: { StateMachineArn: exports },
      statistic: 'Sum',
      period: FIVE_MINUTES,
    });
  return {
    RecordsStopped: {
      metric: business.stopped(FIVE_MINUTES),
      threshold: 1,
      periods: 2,
      severity: 'page',
      summary: 'Events are accepted, and no record was written for 10 minutes.',
      runbook: 'records-stopped',
    },
    ApiLatency: {
      metric: new Metric({
        namespace: 'AWS/ApiGateway',
        metricName: 'Latency',
        dimensionsMap: { ApiId: apiId },
        statistic: 'p99',
        period: FIVE_MINUTES,
      }),
      threshold: API_P99_MS,
      periods: 3,
      severity: 'ticket',
      summary: 'One request in a hundred takes longer than 2 seconds.',
      runbook: 'api-failures',
    },
    TotalsBehind: {
      metric: business.of('totalsAge', FIVE_MINUTES, 'Maximum'),
      threshold: TOTALS_AGE_MS,
      periods: 1,
      severity: 'ticket',
      summary: `A change of records is not in the totals after ${TOTALS_AGE_MS / 60_000} minutes. Reports and budgets of its tenant are too low.`,
      runbook: 'totals-behind',
    },
    UnreadableRows: {
      metric: business.of('unreadableRows', FIVE_MINUTES),
      threshold: 1,
      periods: 1,
      severity: 'ticket',
      summary: 'A stored row cannot be read. The work on the others goes on without it.',
      runbook: 'unreadable-rows',
    },
    TablesThrottled: {
      metric: business.of('throttled', FIVE_MINUTES),
      threshold: THROTTLED_CALLS,
      periods: 2,
      severity: 'ticket',
      summary: `More than ${THROTTLED_CALLS} calls of a table were throttled and repeated in 5 minutes. Work is late.`,
      runbook: 'tables-throttled',
    },
    Unauthenticated: {
      metric: business.of('unauthenticated', FIVE_MINUTES),
      threshold: UNAUTHENTICATED_REQUESTS,
      periods: 2,
      severity: 'ticket',
      summary: `More than ${UNAUTHENTICATED_REQUESTS} requests in 5 minutes had no valid credential.`,
      runbook: 'unauthenticated-requests',
    },
    ExportsFailed: {
      metric: new MathExpression({
        expression: 'FILL(failed, 0) + FILL(late, 0)',
        usingMetrics: { failed: executions('ExecutionsFailed'), late: executions('ExecutionsTimedOut') },
        label: 'Failed exports',
        period: FIVE_MINUTES,
      }),
      threshold: 1,
      periods: 1,
      severity: 'ticket',
      summary: 'An export failed because of an internal error, or did not finish within six hours.',
      runbook: 'exports-failed',
    },
    ...(settings.notificationSender !== undefined && {
      MailBounces: {
        metric: new Metric({
          namespace: 'AWS/SES',
          metricName: 'Reputation.BounceRate',
          statistic: 'Maximum',
          period: HOUR,
        }),
        threshold: BOUNCE_RATE,
        periods: 1,
        severity: 'ticket',
        summary: 'Five percent of the mail of the account bounces. SES stops sending at ten.',
        runbook: 'mail-bounces',
      } satisfies AlarmShape,
    }),
  };
};

/** All alarms besides those of the objectives and of the deployment, by id. */
export const alarmShapesOf = (watched: Watched): Record<string, AlarmShape> => ({
  ...queueAlarms(watched.settings),
  ...functionShapesOf(watched),
  ...serviceShapesOf(watched),
  LedgerCheckFailed: ledgerCheckShape(watched.settings),
});
