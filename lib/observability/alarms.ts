import { Duration } from 'aws-cdk-lib';
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
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { type QueueName, type QueueShape, queues as queueShapes } from '../../schemas/platform/resources.ts';
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
  /** Those that are told of changes of a table. */
  readonly streamConsumers: ReadonlyMap<string, LambdaFunction>;
  readonly queues: ReadonlyMap<QueueName, QueuePair>;
  readonly ledger: Table;
  readonly exports: CfnStateMachine;
}

interface AlarmShape {
  readonly metric: IMetric;
  /** The alarm rings at this value and above. */
  readonly threshold: number;
  readonly periods: number;
  readonly says: string;
  /** The page under `docs/runbooks/`. */
  readonly runbook: string;
}

/** What a person is woken for. Each alarm says what happened and which page to open. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = alarmTopic(this, 'Topic', props.settings);
    const action = new SnsAction(this.topic);
    for (const [alarmId, shape] of Object.entries(shapesOf(props))) {
      new Alarm(this, alarmId, {
        metric: shape.metric,
        threshold: shape.threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: shape.periods,
        alarmDescription: `${shape.says} Runbook: docs/runbooks/${shape.runbook}.md`,
        // All of these metrics count something bad: AWS publishes none while nothing happens, so silence is health.
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }).addAlarmAction(action);
    }
  }
}

/** Minutes a message may be old: what it may be meant to wait, and five. */
const oldAge = (name: QueueName): Duration => {
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
    says: `Messages of queue ${name} could not be processed and wait in its dead-letter queue.`,
    runbook: 'dead-letters',
  })),
  ...named(queues, 'Backlog', (name, { queue }) => ({
    metric: queue.metricApproximateAgeOfOldestMessage({ period: MINUTE, statistic: 'Maximum' }),
    threshold: oldAge(name).toSeconds(),
    periods: 3,
    says: `The oldest message in queue ${name} has waited over ${oldAge(name).toMinutes()} minutes: work comes late.`,
    runbook: 'backlog',
  })),
  ...named(functions, 'Errors', (name, handler) => ({
    metric: handler.metricErrors({ period: FIVE_MINUTES }),
    threshold: 1,
    periods: 1,
    says: `Function ${name} crashed or timed out; refusals and failed messages do not count here.`,
    runbook: 'function-errors',
  })),
  ...named(streamConsumers, 'Behind', (name, follower) => ({
    metric: follower.metric('IteratorAge', { period: MINUTE, statistic: 'Maximum' }),
    threshold: FIVE_MINUTES.toMilliseconds(),
    periods: 3,
    says: `Function ${name} is over 5 minutes behind the table it follows: webhooks come late.`,
    runbook: 'changes-behind',
  })),
  ApiFailures: {
    metric: failureShare(apiId),
    threshold: 1,
    periods: 2,
    says: 'At least 1 % of requests were answered with 5xx for 10 minutes.',
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
        says: 'An export failed through a fault of ours, or was not finished in six hours.',
        runbook: 'exports-failed',
      },
    ]),
  ),
  LedgerThrottled: {
    metric: ledger.metric('WriteThrottleEvents', { period: FIVE_MINUTES, statistic: 'Sum' }),
    threshold: 10,
    periods: 2,
    says: 'Ledger writes were throttled for 10 minutes: a partition or the table is at its limit.',
    runbook: 'ledger-throttled',
  },
});

const named = <Name extends string, Resource>(
  resources: ReadonlyMap<Name, Resource>,
  suffix: string,
  shapeOf: (name: Name, resource: Resource) => AlarmShape,
): Record<string, AlarmShape> =>
  Object.fromEntries(
    [...resources].map(([name, resource]) => [`${pascalCase(name)}${suffix}`, shapeOf(name, resource)]),
  );

/** Requests answered with 5xx, in per cent of all. */
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
    label: 'Share of requests answered with 5xx, %',
    period: FIVE_MINUTES,
  });
};
