import * as z from 'zod';
import { dashboardMetrics } from './dashboardMetrics.ts';
import { monthlyAllowances, prices } from './prices.ts';

/** The part of CloudFormation templates that is charged. */
export interface PricedTemplate {
  readonly Resources: Readonly<
    Record<
      string,
      { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> | undefined }
    >
  >;
}

/** One item of the bill of a month without requests and events. */
export interface IdleRow {
  readonly item: string;
  readonly count: number;
  readonly usd: number;
  /** After the allowance that AWS gives each account every month. */
  readonly usdAfterAllowance: number;
}

const HOURS = 730;
const MINUTES = HOURS * 60;

/**
 * Each poller of a queue makes a long poll of 20 s. A queue whose concurrency is limited has five, and any other has two while
 * it is idle (Lambda developer guide, "Configuring scaling behavior for SQS event source mappings").
 */
const POLLS_PER_MINUTE = { limited: 15, unlimited: 6 };
/**
 * Upper estimates of what a scheduled worker does when nothing is due. One that runs each minute reads two short lists of what is
 * due, with half a unit each. The heartbeat has 128 MB and reads nothing.
 */
const IDLE_RUN = { gigabyteSeconds: 1, readUnits: 50 };
const MINUTE_RUN = { gigabyteSeconds: 0.25, readUnits: 1 };
const HEARTBEAT_RUN = { gigabyteSeconds: 0.125, readUnits: 0 };
/** A dashboard with more metrics is charged, also the first three of an account. */
const FREE_DASHBOARD_METRICS = 50;

/** What these types cost depends on traffic or stored data only. An unknown type fails, so that somebody decides. */
const FREE_WHEN_IDLE: readonly string[] = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::Deployment',
  'AWS::ApiGatewayV2::DomainName',
  'AWS::ApiGatewayV2::Stage',
  'AWS::Budgets::Budget',
  'AWS::CDK::Metadata',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::Cognito::ManagedLoginBranding',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::Cognito::UserPoolDomain',
  'AWS::DynamoDB::Table',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::SSM::Parameter',
  'AWS::StepFunctions::StateMachine',
  'Custom::S3AutoDeleteObjects',
];

const Alarm = z.object({
  Metrics: z.array(z.looseObject({ MetricStat: z.unknown().optional() })).default([]),
});
/** Only the schedules of workers have a name, which an alarm and a queue use. */
const Rule = z.object({
  Name: z.string().optional(),
  ScheduleExpression: z.string().regex(/^rate\(\d+ (?:minute|hour)s?\)$/),
});
/** Only streams have a position to start from. Lambda reads those of tables without a charge. */
const Mapping = z.object({
  StartingPosition: z.string().optional(),
  Enabled: z.boolean().default(true),
  ScalingConfig: z.object({ MaximumConcurrency: z.number() }).optional(),
});

const priced = (item: string, count: number, usd: number, allowance = 0): IdleRow => ({
  item,
  count,
  usd: count * usd,
  usdAfterAllowance: Math.max(0, count - allowance) * usd,
});

/** An alarm on one metric has no list of metrics. Expressions over metrics are not charged. */
const alarmMetricsOf = (properties: unknown): number => {
  const { Metrics } = Alarm.parse(properties);
  return Metrics.length === 0 ? 1 : Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;
};

/** What a rule causes in a month. */
const runsOf = (properties: unknown) => {
  const { Name, ScheduleExpression } = Rule.parse(properties);
  const [, count = '', unit] = /\((\d+) (minute|hour)/.exec(ScheduleExpression) ?? [];
  const runs = (unit === 'hour' ? HOURS : MINUTES) / Number(count);
  const ofWorker = unit === 'minute' && count === '1' ? MINUTE_RUN : IDLE_RUN;
  const { gigabyteSeconds, readUnits } = Name === undefined ? HEARTBEAT_RUN : ofWorker;
  return { runs, gigabyteSeconds: runs * gigabyteSeconds, readUnits: runs * readUnits };
};

/**
 * The bill of a month without requests, events and stored data, in list prices. Throws an Error for a resource type whose
 * cost is not known here. Lambda reads table streams without a charge. Metrics that functions write cost nothing while
 * they write none.
 */
export const idleRows = ({ Resources }: PricedTemplate): IdleRow[] => {
  const charged = [
    'AWS::CloudWatch::Alarm',
    'AWS::CloudWatch::Dashboard',
    'AWS::Events::Rule',
    'AWS::KMS::Key',
    'AWS::Lambda::EventSourceMapping',
  ];
  const unknown = new Set(
    Object.values(Resources)
      .map(({ Type }) => Type)
      .filter((type) => !charged.includes(type) && !FREE_WHEN_IDLE.includes(type)),
  );
  if (unknown.size > 0) throw new Error(`The idle cost of ${[...unknown].join(', ')} is not known`);
  const propertiesOf = (type: string): unknown[] =>
    Object.values(Resources).flatMap(({ Type, Properties }) => (Type === type ? [Properties ?? {}] : []));
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

  const polls = propertiesOf('AWS::Lambda::EventSourceMapping').flatMap((properties) => {
    const { StartingPosition, Enabled, ScalingConfig } = Mapping.parse(properties);
    if (StartingPosition !== undefined || !Enabled) return [];
    return [MINUTES * POLLS_PER_MINUTE[ScalingConfig === undefined ? 'unlimited' : 'limited']];
  });
  const rules = propertiesOf('AWS::Events::Rule').map(runsOf);
  const dashboards = propertiesOf('AWS::CloudWatch::Dashboard').map(dashboardMetrics);
  const isFree = dashboards.every((metrics) => metrics <= FREE_DASHBOARD_METRICS);
  return [
    priced('KMS keys', propertiesOf('AWS::KMS::Key').length, prices.keyMonth.usd),
    priced(
      'Metrics of alarms',
      sum(propertiesOf('AWS::CloudWatch::Alarm').map(alarmMetricsOf)),
      prices.alarmMetricMonth.usd,
      monthlyAllowances.alarmMetrics,
    ),
    priced(
      `Dashboards, of ${dashboards.join(' and ')} metrics`,
      dashboards.length,
      prices.dashboardMonth.usd,
      isFree ? monthlyAllowances.dashboards : 0,
    ),
    priced(
      `Polls of ${polls.length} queues`,
      sum(polls),
      prices.sqsRequest.usd,
      monthlyAllowances.sqsRequests,
    ),
    priced(
      'Runs of schedules',
      sum(rules.map(({ runs }) => runs)),
      prices.lambdaRequest.usd,
      monthlyAllowances.lambdaRequests,
    ),
    priced(
      'Duration of these runs, GB-s',
      sum(rules.map(({ gigabyteSeconds }) => gigabyteSeconds)),
      prices.lambdaGigabyteSecond.usd,
      monthlyAllowances.lambdaGigabyteSeconds,
    ),
    priced(
      'Read units of these runs',
      sum(rules.map(({ readUnits }) => readUnits)),
      prices.dynamodbReadUnit.usd,
    ),
  ];
};

/** The sum of the rows in USD, with and without the allowances of the account. */
export const idleTotals = (rows: readonly IdleRow[]): Pick<IdleRow, 'usd' | 'usdAfterAllowance'> => ({
  usd: rows.reduce((total, { usd }) => total + usd, 0),
  usdAfterAllowance: rows.reduce((total, { usdAfterAllowance }) => total + usdAfterAllowance, 0),
});
