import { Duration } from 'aws-cdk-lib';
import {
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  Metric,
  SingleValueWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { MetricName } from '../../schemas/platform/metrics.ts';
import { queueNames } from '../../schemas/platform/queues.ts';
import type { TableName } from '../../schemas/platform/tables.ts';
import { units } from '../../schemas/routes/route.ts';
import { functionNameOf, logGroupNameOf, nameIn } from '../names.ts';
import type { Watched } from './alarmShapes.ts';
import { BusinessMetrics } from './businessMetrics.ts';
import { failedInvocations } from './failedInvocations.ts';
import type { Objective } from './objectives.ts';
import { oldestMessageAge, visibleMessages } from './queueMetrics.ts';

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

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
  new GraphWidget({ title, left, right, width: WIDTH, period: PERIOD });

/** One dashboard: the objectives first, then the way of an event, then the resources. */
export class Dashboard extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { settings }: Watched,
    objectives: Readonly<Record<string, Objective>>,
  ) {
    super(scope, id);
    const { deployment } = settings;
    const business = new BusinessMetrics(settings);
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
            queueNames.map((name) => oldestMessageAge(deployment, name, PERIOD)),
          ),
          graph(
            'Messages in dead-letter queues',
            queueNames.map((name) => visibleMessages(deployment, `${name}DeadLetter`, PERIOD)),
          ),
        ],
        [
          graph('Webhooks', sums('deliveries', 'deliveryFailures'), tails('deliveryLatency')),
          graph('Budgets and exports', sums('budgetsEvaluated', 'exportsFinished', 'exportsFailed')),
        ],
        [
          graph('Functions: crashes and time-outs', [failedInvocations(settings)]),
          graph(
            'Busy tables: throttled calls',
            sums('throttled'),
            BUSY_TABLES.map(
              (name) =>
                new Metric({
                  namespace: 'AWS/DynamoDB',
                  metricName: 'WriteThrottleEvents',
                  dimensionsMap: { TableName: nameIn(deployment, name) },
                  statistic: 'Sum',
                  period: PERIOD,
                }),
            ),
          ),
        ],
        [
          graph('Refused requests', sums('refused', 'unauthenticated')),
          new LogQueryWidget({
            title: 'Refused requests by code',
            width: WIDTH,
            view: LogQueryVisualizationType.TABLE,
            logGroupNames: units.map((unit) => logGroupNameOf(functionNameOf(deployment, 'api', unit))),
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
