import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { QueueName } from '../../schemas/platform/queues.ts';
import { variableOf } from '../../schemas/platform/resourceVariables.ts';
import type { StreamSource, WorkerShape } from '../../schemas/platform/workers/workerShape.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';
import type { Targets } from './targets.ts';

/** Default of a worker: one message per invocation, without a batching window. */
const DEFAULT_BATCH = { messages: 1, seconds: 0 };

/** Maximum changes per invocation. */
const CHANGES_MAXIMUM = 100;
/**
 * A failed change is retried for this long: half of the 24 hours that the stream keeps it. So a broken function catches up
 * after it is repaired. After that the change goes to the dead-letter queue and the stream continues.
 */
const CHANGE_AGE_MAXIMUM = Duration.hours(12);

export interface QueueSource {
  readonly name: QueueName;
  readonly arn: string;
  readonly url: string;
  readonly deadLetterArn: string;
  readonly deadLetterUrl: string;
}

export interface TableSource extends Pick<StreamSource, 'table' | 'filter'> {
  readonly streamArn: string;
  readonly deadLetterArn: string;
}

/** The queues and streams that a worker consumes. */
export const sourcesOf = (
  { sources, streams = [] }: Pick<WorkerShape, 'sources' | 'streams'>,
  targets: Targets,
): { readonly queues: QueueSource[]; readonly tables: TableSource[] } => ({
  queues: sources.map((name) => ({
    name,
    arn: targets.queueArn(name),
    url: targets.queueUrl(name),
    deadLetterArn: targets.queueArn(`${name}DeadLetter`),
    deadLetterUrl: targets.queueUrl(`${name}DeadLetter`),
  })),
  tables: streams.map(({ table, filter, failureQueue }) => ({
    table,
    filter,
    streamArn: targets.streamArn(table),
    deadLetterArn: targets.queueArn(`${failureQueue}DeadLetter`),
  })),
});

/**
 * Permissions of a consumer: to read its sources, to make failed messages visible again, and to send what it gives up to
 * dead-letter queues. Messages of all its queues go to the one of the first.
 */
export const consumerStatements = (
  queues: readonly QueueSource[],
  tables: readonly TableSource[],
): PolicyStatement[] => [
  ...(queues.length === 0
    ? []
    : [
        new PolicyStatement({
          actions: [
            'sqs:ChangeMessageVisibility',
            'sqs:DeleteMessage',
            'sqs:GetQueueAttributes',
            'sqs:ReceiveMessage',
          ],
          resources: queues.map(({ arn }) => arn),
        }),
      ]),
  ...tables.flatMap((table) => [
    new PolicyStatement({
      actions: [
        'dynamodb:DescribeStream',
        'dynamodb:GetRecords',
        'dynamodb:GetShardIterator',
        'dynamodb:ListStreams',
      ],
      resources: [table.streamArn],
    }),
  ]),
  ...[...new Set([...queues.slice(0, 1), ...tables].map(({ deadLetterArn }) => deadLetterArn))].map(
    (arn) => new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [arn] }),
  ),
];

/** The queues that the code of a consumer uses: its sources, and the one for messages that it gives up. */
export const consumerVariables = (queues: readonly QueueSource[]): Record<string, string> =>
  Object.fromEntries([
    ...queues.map(({ name, url }) => [variableOf('queue', name), url]),
    ...queues
      .slice(0, 1)
      .map(({ name, deadLetterUrl }) => [variableOf('queue', `${name}DeadLetter`), deadLetterUrl]),
  ]);

/** Invokes a function with the messages of a queue. Messages of a batch can fail individually. */
export const subscribeToQueue = (
  scope: Construct,
  target: LambdaFunction,
  { name, arn }: QueueSource,
  { batch = DEFAULT_BATCH, concurrency = 'workerConcurrency' }: Pick<WorkerShape, 'batch' | 'concurrency'>,
  settings: Settings,
): void => {
  const limit = concurrency === null ? null : settings[concurrency];
  new EventSourceMapping(scope, pascalCase(name), {
    target,
    eventSourceArn: arn,
    batchSize: batch.messages === 'eventBatch' ? settings.eventBatch : batch.messages,
    maxBatchingWindow: Duration.seconds(batch.seconds),
    ...(limit !== null && { maxConcurrency: limit }),
    reportBatchItemFailures: true,
    enabled: name !== 'ingestion' || settings.hasProducers,
  });
};

/** Invokes a function with the changes of a table. A failed batch is split in halves and retried. */
export const subscribeToChanges = (scope: Construct, target: LambdaFunction, source: TableSource): void => {
  new EventSourceMapping(scope, `Changes${pascalCase(source.table)}`, {
    target,
    eventSourceArn: source.streamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: CHANGES_MAXIMUM,
    filters: [{ pattern: JSON.stringify(source.filter) }],
    bisectBatchOnError: true,
    maxRecordAge: CHANGE_AGE_MAXIMUM,
    // `consumerStatements` grants the permission to send.
    onFailure: { bind: () => ({ destination: source.deadLetterArn }) },
    reportBatchItemFailures: true,
  });
};
