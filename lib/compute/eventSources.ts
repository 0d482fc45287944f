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
import type { StreamSource, WorkerShape } from '../../schemas/platform/workers.ts';
import { pascalCase } from '../pascalCase.ts';

/** One message at a time, as soon as it is there, where a worker says nothing else. */
const DEFAULT_BATCH = { messages: 1, seconds: 0 };

/**
 * The most environments one source may fill. A backlog then drains at a steady pace instead of taking
 * the account's concurrency, which the functions behind the API share, and the tables' write throughput.
 */
const CONCURRENCY_MAXIMUM = 20;

/** Changes told at once. */
const CHANGES_MAXIMUM = 100;
/**
 * How long a change is told again and again, half of the time it is kept: what a broken function missed it makes up for
 * once it is mended; only then is the change set aside, and does the rest go on without it.
 */
const CHANGE_AGE_MAXIMUM = Duration.hours(12);

export interface QueueSource {
  readonly name: string;
  readonly queue: Queue;
}

export interface TableSource extends Pick<StreamSource, 'table' | 'filter'> {
  readonly source: Table;
  readonly deadLetters: Queue;
}

/** The stream of a table. Throws where the contract does not declare one. */
const streamOf = ({ source, table }: TableSource): string => {
  const { tableStreamArn } = source;
  if (tableStreamArn === undefined) throw new Error(`Table ${table} is followed, and has no stream`);
  return tableStreamArn;
};

/** What a consumer may do with its sources: take from them, and set aside what it cannot take. */
export const consumerStatements = (
  queues: readonly QueueSource[],
  tables: readonly TableSource[],
): PolicyStatement[] => [
  ...(queues.length === 0
    ? []
    : [
        new PolicyStatement({
          actions: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
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
    new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [table.deadLetters.queueArn] }),
  ]),
];

/** Feeds a function from a queue; messages of a batch fail one by one. */
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

/** Tells a function of the changes of a table; a batch that fails is told again in halves. */
export const subscribeToChanges = (scope: Construct, target: LambdaFunction, source: TableSource): void => {
  new EventSourceMapping(scope, `Changes${pascalCase(source.table)}`, {
    target,
    eventSourceArn: streamOf(source),
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: CHANGES_MAXIMUM,
    filters: [{ pattern: JSON.stringify(source.filter) }],
    bisectBatchOnError: true,
    maxRecordAge: CHANGE_AGE_MAXIMUM,
    // The role is granted in one place, with everything else a consumer may do.
    onFailure: { bind: () => ({ destination: source.deadLetters.queueArn }) },
    reportBatchItemFailures: true,
  });
};
