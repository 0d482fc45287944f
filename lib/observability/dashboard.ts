import { Duration } from 'aws-cdk-lib';
import {
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  SingleValueWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { MetricName } from '../../schemas/platform/metrics.ts';
import type { TableName } from '../../schemas/platform/tables.ts';
import type { Watched } from './alarmShapes.ts';
import { BusinessMetrics } from './businessMetrics.ts';
import type { Objective } from './objectives.ts';

const PERIOD = Duration.minutes(5);
const DAY = Duration.days(1);
const WIDTH = 12;
const FULL_WIDTH = 24;

/**
 * The tables that requests and events write most. CloudWatch charges a dashboard of more than 50 metrics, so it cannot show
 * every table and function.
 */
const BUSY_TABLES: readonly TableName[] = [
  'ledger',
  'claims',
  'traces',
  'counters',
  'rollups',
  'outbox',
  'deliveries',
  'limits',
  'idempotency',
  'access',
];

export interface DashboardProps extends Watched {
  readonly tables: ReadonlyMap<TableName, Table>;
  /** The functions that answer requests. */
  readonly units: ReadonlyMap<string, LambdaFunction>;
}

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
  new GraphWidget({ title, left, right, width: WIDTH, period: PERIOD });

/** One dashboard: the objectives first, then the way of an event, then the resources. */
export class Dashboard extends Construct {
  constructor(
    scope: Construct,
    id: string,
    props: DashboardProps,
    objectives: Readonly<Record<string, Objective>>,
  ) {
    super(scope, id);
    const business = new BusinessMetrics(props.settings);
    const sums = (...names: MetricName[]) => names.map((name) => business.of(name, PERIOD));
    const tails = (...names: MetricName[]) => names.map((name) => business.of(name, PERIOD, 'p99'));
    new CloudWatchDashboard(this, 'Dashboard', {
      defaultInterval: DAY,
      widgets: [
        // One widget each: the ids of metrics are unique in a widget.
        Object.entries(objectives).map(
          ([name, { badShare, target }]) =>
            new SingleValueWidget({
              title: `${name}: objective ${target} %`,
              width: FULL_WIDTH / Object.keys(objectives).length,
              period: DAY,
              metrics: [
                new MathExpression({
                  expression: '100 - bad',
                  usingMetrics: { bad: badShare(DAY) },
                  label: 'Good in the last day, %',
                  period: DAY,
                }),
              ],
            }),
        ),
        [
          graph('Events', sums('accepted', 'recorded', 'duplicates', 'setAside')),
          graph('Records without owner or cost', sums('unresolved', 'unpriced')),
        ],
        [
          graph('Latency, p99', tails('recordLatency', 'rollupLatency', 'notificationLatency')),
          graph('Attribution worker, p99 of one event', tails('eventTime')),
        ],
        [
          graph(
            'Age of the oldest message',
            [...props.queues.values()].map(({ queue }) =>
              queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, statistic: 'Maximum' }),
            ),
          ),
          graph(
            'Messages in dead-letter queues',
            [...props.queues.values()].map(({ deadLetters }) =>
              deadLetters.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: 'Maximum' }),
            ),
          ),
        ],
        [
          graph('Webhooks', sums('deliveries', 'deliveryFailures'), tails('deliveryLatency')),
          graph('Budgets and exports', sums('budgetsEvaluated', 'exportsFinished', 'exportsFailed')),
        ],
        [
          graph('Functions: crashes and time-outs', [props.failedInvocations]),
          graph(
            'Busy tables: throttled calls',
            sums('throttled'),
            BUSY_TABLES.flatMap(
              (name) =>
                props.tables.get(name)?.metric('WriteThrottleEvents', { period: PERIOD, statistic: 'Sum' }) ??
                [],
            ),
          ),
        ],
        [
          graph('Refused requests', sums('refused', 'unauthenticated')),
          new LogQueryWidget({
            title: 'Refused requests by code',
            width: WIDTH,
            view: LogQueryVisualizationType.TABLE,
            logGroupNames: [...props.units.values()].map(({ logGroup }) => logGroup.logGroupName),
            queryLines: [
              'filter ispresent(code)',
              'stats sum(coalesce(refused, 0) + coalesce(unauthenticated, 0)) as requests by code',
              'sort requests desc',
            ],
          }),
        ],
      ],
    });
  }
}
