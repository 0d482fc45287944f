import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { QueueName } from '../../schemas/platform/queues.ts';
import { variableOf } from '../../schemas/platform/resourceVariables.ts';
import type { StreamSource, WorkerShape } from '../../schemas/platform/workerShape.ts';
import type { QueuePair } from '../data/queues.ts';
import { pascalCase } from '../pascalCase.ts';

/** Default of a worker: one message per invocation, without a batching window. */
const DEFAULT_BATCH = { messages: 1, seconds: 0 };

/**
 * Maximum concurrency of one event source. It stops a backlog from using up the account concurrency, which the HTTP
 * functions share, and the write throughput of the tables.
 */
const CONCURRENCY_MAXIMUM = 20;

/** Maximum changes per invocation. */
const CHANGES_MAXIMUM = 100;
/**
 * A failed change is retried for this long: half of the 24 hours that the stream keeps it. So a broken function catches up
 * after it is repaired. After that the change goes to the dead-letter queue and the stream continues.
 */
const CHANGE_AGE_MAXIMUM = Duration.hours(12);

export interface QueueSource extends QueuePair {
  readonly name: QueueName;
}

export interface TableSource extends Pick<StreamSource, 'table' | 'filter'> {
  readonly source: Table;
  readonly deadLetters: Queue;
}

/** The stream ARN of a table. Throws if the table has no stream. */
const streamOf = ({ source, table }: TableSource): string => {
  const { tableStreamArn } = source;
  if (tableStreamArn === undefined)
    throw new Error(
      `A worker consumes the stream of table ${table}, but the table has no stream. Set "streamed" in schemas/platform/tables.ts.`,
    );
  return tableStreamArn;
};

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
          resources: queues.map(({ queue }) => queue.queueArn),
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
      resources: [streamOf(table)],
    }),
  ]),
  ...[...new Set([...queues.slice(0, 1), ...tables].map(({ deadLetters }) => deadLetters.queueArn))].map(
    (arn) => new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [arn] }),
  ),
];

/** The queues that the code of a consumer uses: its sources, and the one for messages that it gives up. */
export const consumerVariables = (queues: readonly QueueSource[]): Record<string, string> =>
  Object.fromEntries([
    ...queues.map(({ name, queue }) => [variableOf('queue', name), queue.queueUrl]),
    ...queues
      .slice(0, 1)
      .map(({ name, deadLetters }) => [variableOf('queue', `${name}DeadLetter`), deadLetters.queueUrl]),
  ]);

/** Invokes a function with the messages of a queue. Messages of a batch can fail individually. */
export const subscribeToQueue = (
  scope: Construct,
  target: LambdaFunction,
  { name, queue }: QueueSource,
  { batch = DEFAULT_BATCH, concurrency = CONCURRENCY_MAXIMUM }: Pick<WorkerShape, 'batch' | 'concurrency'>,
): void => {
  new EventSourceMapping(scope, pascalCase(name), {
    target,
    eventSourceArn: queue.queueArn,
    batchSize: batch.messages,
    maxBatchingWindow: Duration.seconds(batch.seconds),
    maxConcurrency: concurrency,
    reportBatchItemFailures: true,
  });
};

/** Invokes a function with the changes of a table. A failed batch is split in halves and retried. */
export const subscribeToChanges = (scope: Construct, target: LambdaFunction, source: TableSource): void => {
  new EventSourceMapping(scope, `Changes${pascalCase(source.table)}`, {
    target,
    eventSourceArn: streamOf(source),
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: CHANGES_MAXIMUM,
    filters: [{ pattern: JSON.stringify(source.filter) }],
    bisectBatchOnError: true,
    maxRecordAge: CHANGE_AGE_MAXIMUM,
    // `consumerStatements` grants the permission to send.
    onFailure: { bind: () => ({ destination: source.deadLetters.queueArn }) },
    reportBatchItemFailures: true,
  });
};
