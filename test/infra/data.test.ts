import { expect, it } from 'vitest';
import * as z from 'zod';
import { Settings, type SettingsInput } from '../../lib/settings.ts';
import { keyNames, keys } from '../../schemas/platform/keys.ts';
import { type QueueName, queueNames, queues } from '../../schemas/platform/queues.ts';
import { type TableShape, tableNames, tables } from '../../schemas/platform/tables.ts';
import type { WorkerShape } from '../../schemas/platform/workers/workerShape.ts';
import { workerNames, workers } from '../../schemas/platform/workers.ts';
import { functionId, idIn, idsIn, Reference, resourcesOf, templateOf } from './stack.ts';

const template = templateOf({});
const namedBy = idIn(template);
const Named = z.unknown().transform(namedBy);
const output = (name: string): string => idsIn(template)(template.Outputs[name]?.Value).join();
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

it('bounds the writes of every table, when that is set', () => {
  const Bounded = z.object({
    OnDemandThroughput: z.object({ MaxWriteRequestUnits: z.number() }).optional(),
  });
  const boundsOf = (settings: SettingsInput) =>
    new Set(
      [...resourcesOf(templateOf(settings), 'AWS::DynamoDB::Table', Bounded).values()].map(
        ({ OnDemandThroughput }) => OnDemandThroughput?.MaxWriteRequestUnits,
      ),
    );

  expect(boundsOf({})).toEqual(new Set([undefined]));
  expect(boundsOf({ maximumWrites: 20_000 })).toEqual(new Set([20_000]));
  expect(Settings.safeParse({ maximumWrites: 20_000, warmWrites: 40_000 }).success).toBe(false);
});

it('takes concurrency and batches of queues, and reserved concurrency of units, from the settings', () => {
  const tuned = templateOf({
    maximumWrites: 20_000,
    workerConcurrency: 50,
    deliveryConcurrency: 500,
    eventBatch: 100,
    reservedConcurrency: 'ingest=200,oauth=50',
  });
  const Mapping = z.object({
    EventSourceArn: z.unknown().transform(idIn(tuned)),
    BatchSize: z.number(),
    ScalingConfig: z.object({ MaximumConcurrency: z.number() }).optional(),
  });
  const loads = new Map(
    [...resourcesOf(tuned, 'AWS::Lambda::EventSourceMapping', Mapping).values()].map((mapping) => [
      mapping.EventSourceArn,
      [mapping.BatchSize, mapping.ScalingConfig?.MaximumConcurrency],
    ]),
  );
  const reserved = [
    ...resourcesOf(
      tuned,
      'AWS::Lambda::Function',
      z.object({ ReservedConcurrentExecutions: z.number().optional() }),
    ),
  ].flatMap(([id, { ReservedConcurrentExecutions: count }]) => (count === undefined ? [] : [[id, count]]));

  expect(loads.get(output('QueueAccepted'))).toEqual([100, 50]);
  expect(loads.get(output('QueueIngestion'))).toEqual([100, 50]);
  expect(loads.get(output('QueueRollups'))).toEqual([10, 50]);
  expect(loads.get(output('QueueDeliveries'))).toEqual([10, 500]);
  expect(Object.fromEntries(reserved)).toEqual({
    [functionId(tuned, 'Units', 'ingest')]: 200,
    [functionId(tuned, 'Units', 'oauth')]: 50,
  });
  expect(Settings.safeParse({ reservedConcurrency: 'ingestion=200' }).error?.issues[0]?.message).toContain(
    'must be a unit with a number',
  );
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
      EventSourceArn: Named,
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
    expect(idsIn(template)(mapping?.DestinationConfig)).toEqual([
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

/**
 * A fixed name prevents a replacement: CloudFormation creates the new resource before it deletes the old one. Only what
 * another stack names has one. The name of a bucket is known to all accounts, so nobody may guess it.
 */
it.each([
  ['AWS::S3::Bucket', 'BucketName'],
  ['AWS::CloudWatch::Alarm', 'AlarmName'],
  ['AWS::Cognito::UserPool', 'UserPoolName'],
  ['AWS::Cognito::UserPoolClient', 'ClientName'],
])('leaves the name of every %s to CloudFormation', (type, property) => {
  const all = [...resourcesOf(template, type, z.record(z.string(), z.unknown())).values()];

  expect(all.length).toBeGreaterThan(0);
  for (const properties of all) expect(properties).not.toHaveProperty(property);
});
