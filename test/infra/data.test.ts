import { expect, it } from 'vitest';
import * as z from 'zod';
import { keyNames, keys } from '../../schemas/platform/keys.ts';
import { type QueueName, queueNames, queues } from '../../schemas/platform/queues.ts';
import { type TableShape, tableNames, tables } from '../../schemas/platform/tables.ts';
import type { WorkerShape } from '../../schemas/platform/workerShape.ts';
import { workerNames, workers } from '../../schemas/platform/workers.ts';
import { units } from '../../schemas/routes/route.ts';
import { functionId, Reference, referencesIn, resourcesOf, templateOf } from './stack.ts';

const template = templateOf({});
const output = (name: string): string => referencesIn(template.Outputs[name]?.Value).join();
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const deployedTables = resourcesOf(
  template,
  'AWS::DynamoDB::Table',
  z.object({
    KeySchema: z.array(z.object({ AttributeName: z.string() })),
    BillingMode: z.string(),
    PointInTimeRecoverySpecification: z.object({ PointInTimeRecoveryEnabled: z.boolean() }).optional(),
    TableClass: z.string().optional(),
    SSESpecification: z.object({ SSEEnabled: z.boolean() }),
    TimeToLiveSpecification: z.object({ AttributeName: z.string(), Enabled: z.boolean() }).optional(),
    DeletionProtectionEnabled: z.boolean(),
  }),
);

it.each(tableNames)(
  'declares table %s with encryption, deletion protection, and backups unless its rows follow from the ledger',
  (name) => {
    const shape: TableShape = tables[name];
    const keys = shape.sortKey === undefined ? [shape.partitionKey] : [shape.partitionKey, shape.sortKey];

    expect(deployedTables.get(output(`Table${pascal(name)}`))).toEqual({
      KeySchema: keys.map((AttributeName) => ({ AttributeName })),
      BillingMode: 'PAY_PER_REQUEST',
      ...(shape.derived
        ? { TableClass: 'STANDARD_INFREQUENT_ACCESS' }
        : { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }),
      SSESpecification: { SSEEnabled: true },
      ...(shape.ttl && { TimeToLiveSpecification: { AttributeName: shape.ttl, Enabled: true } }),
      DeletionProtectionEnabled: true,
    });
  },
);

it('prepares only the ledger and the claims for a high write rate, when that is set', () => {
  const warmTables = (stack: ReturnType<typeof templateOf>): unknown[] =>
    [
      ...resourcesOf(
        stack,
        'AWS::DynamoDB::Table',
        z.object({ WarmThroughput: z.object({ WriteUnitsPerSecond: z.number() }).optional() }),
      ).values(),
    ].flatMap(({ WarmThroughput }) => WarmThroughput ?? []);

  expect(warmTables(template)).toEqual([]);
  expect(warmTables(templateOf({ warmWrites: 40_000 }))).toEqual([
    { WriteUnitsPerSecond: 40_000 },
    { WriteUnitsPerSecond: 40_000 },
  ]);
});

const deployedQueues = resourcesOf(
  template,
  'AWS::SQS::Queue',
  z.object({
    VisibilityTimeout: z.number().optional(),
    MessageRetentionPeriod: z.number(),
    SqsManagedSseEnabled: z.boolean(),
    RedrivePolicy: z.object({ deadLetterTargetArn: Reference, maxReceiveCount: z.number() }).optional(),
  }),
);
const DAY_SECONDS = 24 * 3_600;
/** The dead-letter queue of `ingestion` can hold prompts. */
const RETENTION_DAYS: Partial<Record<QueueName, number>> = { ingestion: 4 };

it.each(queueNames.map((name) => [name, RETENTION_DAYS[name] ?? 14] as const))(
  'gives queue %s a dead-letter queue with a retention of %d days',
  (name, days) => {
    const deadLetters = output(`Queue${pascal(name)}DeadLetter`);

    expect(deployedQueues.get(output(`Queue${pascal(name)}`))?.RedrivePolicy).toEqual({
      deadLetterTargetArn: deadLetters,
      maxReceiveCount: queues[name].maxReceiveCount,
    });
    expect(deployedQueues.get(deadLetters)?.MessageRetentionPeriod).toBe(days * DAY_SECONDS);
  },
);

const subscriptions = workerNames.flatMap((worker) =>
  workers[worker].sources.map((source) => ({ worker, source })),
);
const mappings = [
  ...resourcesOf(
    template,
    'AWS::Lambda::EventSourceMapping',
    z.object({
      FunctionName: Reference,
      EventSourceArn: Reference,
      FunctionResponseTypes: z.array(z.string()),
      ScalingConfig: z.object({ MaximumConcurrency: z.number() }).optional(),
      StartingPosition: z.string().optional(),
      BisectBatchOnFunctionError: z.boolean().optional(),
      MaximumRecordAgeInSeconds: z.number().optional(),
      FilterCriteria: z.unknown().optional(),
      DestinationConfig: z.unknown().optional(),
    }),
  ).values(),
];

it.each(subscriptions)(
  'sets the visibility timeout of $source to at least six timeouts of $worker',
  ({ worker, source }) => {
    expect(deployedQueues.get(output(`Queue${pascal(source)}`))?.VisibilityTimeout).toBeGreaterThanOrEqual(
      6 * workers[worker].timeoutSeconds,
    );
  },
);

it.each(subscriptions)('delivers $source to $worker with partial batch responses', ({ worker, source }) => {
  const mapping = mappings.find(({ EventSourceArn }) => EventSourceArn === output(`Queue${pascal(source)}`));

  expect(mapping?.FunctionName).toBe(functionId(template, 'Workers', worker));
  expect(mapping?.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
});

const streamSubscriptions = workerNames.flatMap((worker) => {
  const { streams = [] }: WorkerShape = workers[worker];
  return streams.map((one) => ({ worker, ...one }));
});

it.each(streamSubscriptions)(
  'delivers changes of $table to $worker, and undelivered changes to a dead-letter queue',
  (one) => {
    const mapping = mappings.find(
      ({ EventSourceArn, FunctionName }) =>
        EventSourceArn === output(`Table${pascal(one.table)}`) &&
        FunctionName === functionId(template, 'Workers', one.worker),
    );

    expect(mapping).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      // Half of the 24 hours for which DynamoDB keeps stream records.
      MaximumRecordAgeInSeconds: 43_200,
      FilterCriteria: { Filters: [{ Pattern: JSON.stringify(one.filter) }] },
    });
    expect(referencesIn(mapping?.DestinationConfig)).toEqual([
      output(`Queue${pascal(one.failureQueue)}DeadLetter`),
    ]);
  },
);

it('encrypts every queue at rest and denies plain HTTP', () => {
  const policies = resourcesOf(
    template,
    'AWS::SQS::QueuePolicy',
    z.object({ Queues: z.array(Reference), PolicyDocument: z.unknown() }),
  );
  const queuesWithDeny = [...policies.values()]
    .filter(({ PolicyDocument }) =>
      JSON.stringify(PolicyDocument).includes(
        '"Condition":{"Bool":{"aws:SecureTransport":"false"}},"Effect":"Deny"',
      ),
    )
    .flatMap(({ Queues }) => Queues);

  expect(queuesWithDeny.sort()).toEqual([...deployedQueues.keys()].sort());
  expect([...deployedQueues.values()].every(({ SqsManagedSseEnabled }) => SqsManagedSseEnabled)).toBe(true);
});

it.each(keyNames)('creates key %s with its declared spec and usage', (name) => {
  const deployed = resourcesOf(
    template,
    'AWS::KMS::Key',
    z.object({ KeySpec: z.string(), KeyUsage: z.string() }),
  );

  expect(deployed.get(output(`Key${pascal(name)}`))).toEqual({
    KeySpec: keys[name].spec,
    KeyUsage: keys[name].usage,
  });
});

const unitIds = new Set(units.map((unit) => functionId(template, 'Units', unit)));

/**
 * A fixed name prevents a replacement: CloudFormation creates the new resource before it deletes the old one. Only the
 * functions that the API invokes need one: test/infra/routes.test.ts.
 */
it.each([
  ['AWS::DynamoDB::Table', 'TableName'],
  ['AWS::SQS::Queue', 'QueueName'],
  ['AWS::Lambda::Function', 'FunctionName'],
  ['AWS::IAM::Role', 'RoleName'],
  ['AWS::Logs::LogGroup', 'LogGroupName'],
  ['AWS::SNS::Topic', 'TopicName'],
  ['AWS::CloudWatch::Alarm', 'AlarmName'],
  ['AWS::Cognito::UserPool', 'UserPoolName'],
  ['AWS::Cognito::UserPoolClient', 'ClientName'],
])('leaves the name of every other %s to CloudFormation', (type, property) => {
  const all = [...resourcesOf(template, type, z.record(z.string(), z.unknown()))].filter(
    ([id]) => !unitIds.has(id),
  );

  expect(all.length).toBeGreaterThan(0);
  for (const [, properties] of all) expect(properties).not.toHaveProperty(property);
});
