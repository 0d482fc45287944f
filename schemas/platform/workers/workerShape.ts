import type { QueueName } from '../queues.ts';
import type { Need } from '../resources.ts';
import type { TableName } from '../tables.ts';

/** A filter of stream records, in the filter syntax of Lambda. */
export interface StreamFilter {
  readonly [member: string]: StreamFilter | readonly (string | { readonly exists: boolean })[];
}

/** A table whose stream triggers a worker. Changes of one partition key arrive in order. */
export interface StreamSource {
  readonly table: TableName;
  readonly filter: StreamFilter;
  /** Receives the stream records that the worker failed to process, in its dead-letter queue. */
  readonly failureQueue: QueueName;
}

/**
 * A Lambda function triggered by queues, streams or a schedule. Its entry is `functions/entries/workers/<name>.worker.ts`.
 */
export interface WorkerShape {
  readonly summary: string;
  readonly sources: readonly QueueName[];
  readonly streams?: readonly StreamSource[];
  /** The batch size, or the setting that has it, and the batching window in seconds. */
  readonly batch?: { readonly messages: number | 'eventBatch'; readonly seconds: number };
  /**
   * The setting with the number of concurrent batches of each source. Default: `workerConcurrency`. Null: none, for short work
   * that other limits bound. Lambda polls such a queue less often while it is idle.
   */
  readonly concurrency?: 'workerConcurrency' | 'deliveryConcurrency' | null;
  /**
   * The period in minutes of a tick, which starts rounds. It goes to the first source, or invokes a worker without sources.
   */
  readonly everyMinutes?: number;
  /** Sends e-mail, if the stack has a sender address. */
  readonly sendsMail?: boolean;
  /** The worker may delete data of tenants, and exists in sandbox and local deployments only. */
  readonly isOutsideProduction?: boolean;
  readonly needs: readonly Need[];
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  /** The size of its /tmp, if not the default of 512. */
  readonly storageMegabytes?: number;
}
