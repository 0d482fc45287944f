import { Aws, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { type QueueName, type QueueShape, queues as queueShapes } from '../../schemas/platform/queues.ts';
import { REPAIRED } from '../../schemas/rollup.ts';
import type { QueuePair } from '../data/queues.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';
import { alarmTopic } from './topic.ts';

const MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);

export interface AlarmsProps {
  readonly settings: Settings;
  readonly apiId: string;
  readonly functions: ReadonlyMap<string, LambdaFunction>;
  /** The functions that consume a table stream. */
  readonly streamConsumers: ReadonlyMap<string, LambdaFunction>;
  readonly queues: ReadonlyMap<QueueName, QueuePair>;
  readonly ledger: Table;
  readonly exports: CfnStateMachine;
}

interface AlarmShape {
  readonly metric: IMetric;
  /** The alarm fires at this value and above. */
  readonly threshold: number;
  readonly periods: number;
  readonly summary: string;
  /** The page under `docs/runbooks/`. */
  readonly runbook: string;
}

/** Alarms that notify the operator. Each description says what happened and names the runbook. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = alarmTopic(this, 'Topic', props.settings);
    const action = new SnsAction(this.topic);
    const shapes = { ...shapesOf(props), TotalsRepaired: totalsRepaired(this, props) };
    for (const [alarmId, shape] of Object.entries(shapes)) {
      new Alarm(this, alarmId, {
        metric: shape.metric,
        threshold: shape.threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: shape.periods,
        alarmDescription: `${shape.summary} Runbook: docs/runbooks/${shape.runbook}.md`,
        // These metrics count problems, and AWS publishes no data without them. So missing data means healthy.
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }).addAlarmAction(action);
    }
  }
}

/** Maximum age of a message: its planned delay plus five minutes. */
const maximumAge = (name: QueueName): Duration => {
  const { delaySeconds = 0 }: QueueShape = queueShapes[name];
  return FIVE_MINUTES.plus(Duration.seconds(delaySeconds));
};

const shapesOf = ({
  apiId,
  functions,
  streamConsumers,
  queues,
  ledger,
  exports,
}: AlarmsProps): Record<string, AlarmShape> => ({
  ...named(queues, 'DeadLetters', (name, { deadLetters }) => ({
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: MINUTE, statistic: 'Maximum' }),
    threshold: 1,
    periods: 1,
    summary: `Messages of queue ${name} failed and are in its dead-letter queue.`,
    runbook: 'dead-letters',
  })),
  ...named(queues, 'Backlog', (name, { queue }) => ({
    metric: queue.metricApproximateAgeOfOldestMessage({ period: MINUTE, statistic: 'Maximum' }),
    threshold: maximumAge(name).toSeconds(),
    periods: 3,
    summary: `The oldest message in queue ${name} is more than ${maximumAge(name).toMinutes()} minutes old. Processing is delayed.`,
    runbook: 'backlog',
  })),
  ...named(functions, 'Errors', (name, handler) => ({
    metric: handler.metricErrors({ period: FIVE_MINUTES }),
    threshold: 1,
    periods: 1,
    summary: `Function ${name} crashed or timed out. Rejected requests and failed messages are not counted.`,
    runbook: 'function-errors',
  })),
  ...named(streamConsumers, 'Behind', (name, consumer) => ({
    metric: consumer.metric('IteratorAge', { period: MINUTE, statistic: 'Maximum' }),
    threshold: FIVE_MINUTES.toMilliseconds(),
    periods: 3,
    summary: `Function ${name} is more than 5 minutes behind its table stream. Webhooks are delayed.`,
    runbook: 'changes-behind',
  })),
  ApiFailures: {
    metric: failureShare(apiId),
    threshold: 1,
    periods: 2,
    summary: 'At least 1 % of requests returned a 5xx status for 10 minutes.',
    runbook: 'api-failures',
  },
  ...Object.fromEntries(
    (['ExecutionsFailed', 'ExecutionsTimedOut'] as const).map((metricName): [string, AlarmShape] => [
      `Export${metricName}`,
      {
        metric: new Metric({
          namespace: 'AWS/States',
          metricName,
          dimensionsMap: { StateMachineArn: exports.ref },
          statistic: 'Sum',
          period: FIVE_MINUTES,
        }),
        threshold: 1,
        periods: 1,
        summary: 'An export failed because of an internal error, or did not finish within six hours.',
        runbook: 'exports-failed',
      },
    ]),
  ),
  LedgerThrottled: {
    metric: ledger.metric('WriteThrottleEvents', { period: FIVE_MINUTES, statistic: 'Sum' }),
    threshold: 10,
    periods: 2,
    summary:
      'Ledger writes were throttled for 10 minutes. A partition or the table is at its throughput limit.',
    runbook: 'ledger-throttled',
  },
});

/** The workers that log a repair of totals. */
const REPAIRING = ['rollupsWorker', 'totalsWorker'];

/** Counts the log lines of repairs. */
const totalsRepaired = (scope: Construct, { functions }: AlarmsProps): AlarmShape => {
  const metric = { metricNamespace: Aws.STACK_NAME, metricName: 'TotalsRepaired' };
  for (const name of REPAIRING) {
    const worker = functions.get(name);
    if (worker === undefined) throw new Error(`Function ${name} is not declared`);
    new MetricFilter(scope, `${pascalCase(name)}Repairs`, {
      logGroup: worker.logGroup,
      filterPattern: FilterPattern.stringValue('$.message', '=', REPAIRED),
      ...metric,
    });
  }
  return {
    metric: new Metric({
      namespace: metric.metricNamespace,
      metricName: metric.metricName,
      statistic: 'Sum',
      period: FIVE_MINUTES,
    }),
    threshold: 1,
    periods: 1,
    summary:
      'Totals differed from the ledger, or a mark was pending for more than 10 minutes. They were summed again.',
    runbook: 'totals-repaired',
  };
};

const named = <Name extends string, Resource>(
  resources: ReadonlyMap<Name, Resource>,
  suffix: string,
  shapeOf: (name: Name, resource: Resource) => AlarmShape,
): Record<string, AlarmShape> =>
  Object.fromEntries(
    [...resources].map(([name, resource]) => [`${pascalCase(name)}${suffix}`, shapeOf(name, resource)]),
  );

/** Percentage of requests with a 5xx status. */
const failureShare = (apiId: string): IMetric => {
  const sum = (metricName: string): Metric =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap: { ApiId: apiId },
      statistic: 'Sum',
      period: FIVE_MINUTES,
    });
  return new MathExpression({
    expression: 'IF(requests > 0, 100 * failures / requests, 0)',
    usingMetrics: { requests: sum('Count'), failures: sum('5xx') },
    label: 'Requests with a 5xx status, %',
    period: FIVE_MINUTES,
  });
};
