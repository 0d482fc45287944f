import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { InvocationResult } from '../lambda/sandbox.ts';
import type { QueueMappingDeclaration } from '../template/queueMappings.ts';
import { returnMessages } from './returnMessages.ts';
import { eventsWithinLimit, succeededMessages } from './sqsBatch.ts';

export interface QueuePollerOptions {
  mapping: QueueMappingDeclaration;
  queueUrl: string;
  sqs: SQSClient;
  /** Long-poll time of a receive, in seconds. A stop may take as long. */
  waitSeconds: number;
  /** Seconds after which the queue itself makes a received message visible again. */
  visibilitySeconds: number;
  /** Concurrent batches: the usual limit, and the limit when all of these hang. */
  concurrency: { usual: number; maximum: number };
  invoke: (event: string) => Promise<InvocationResult>;
  log: (line: string) => void;
}

export interface QueuePoller {
  /** Whether a received batch is not yet processed. */
  readonly busy: boolean;
  /** Stops receiving and waits for the current receive and batches. */
  stop(): Promise<void>;
}

/** SQS receives and deletes at most ten messages per call. */
const CALL_LIMIT = 10;
/** Upper limit of the batching window. The window saves invocations, which cost nothing here. */
const WINDOW_LIMIT_MS = 100;
const WINDOW_STEP_MS = 20;
const ERROR_BACKOFF_MS = 1000;
/** A batch that runs longer counts as hanging, for example on a slow endpoint. It must not block other batches. */
const HANG_THRESHOLD_MS = 1000;

/**
 * Invokes a function with the messages of a queue, as an event source mapping does. Failed messages stay in the queue and
 * move to the dead-letter queue after too many receives. Messages that the function reports become visible again when it
 * said so. When the function crashed or was ended, it could not say so. Lambda then leaves them until the visibility timeout.
 * This poller returns them within seconds.
 */
export function startQueuePoller(options: QueuePollerOptions): QueuePoller {
  const { mapping, queueUrl, sqs, waitSeconds, visibilitySeconds, concurrency, invoke, log } = options;
  /** Running batches and their start times. */
  const running = new Map<Promise<void>, number>();
  let collecting = false;
  let stopping = false;

  async function receive(count: number, WaitTimeSeconds: number): Promise<Message[]> {
    const { Messages } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: Math.min(CALL_LIMIT, count),
        WaitTimeSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
    );
    return Messages ?? [];
  }

  async function receiveBatch(): Promise<Message[]> {
    const batch = await receive(mapping.batchSize, waitSeconds);
    collecting = batch.length > 0;
    const end = Date.now() + Math.min(mapping.windowMs, WINDOW_LIMIT_MS);
    while (collecting && !stopping && batch.length < mapping.batchSize && Date.now() < end) {
      const more = await receive(mapping.batchSize - batch.length, 0);
      batch.push(...more);
      if (more.length === 0) await sleep(WINDOW_STEP_MS);
    }
    return batch;
  }

  async function processBatch(batch: Message[]): Promise<void> {
    for (const { part, event } of eventsWithinLimit(batch, mapping.queueArn)) await processPart(part, event);
  }

  async function processPart(batch: Message[], event: string): Promise<void> {
    const result = await invoke(event);
    if (!result.ok) {
      // Messages that a stop interrupts are received again at the next start.
      if (!stopping) await returnMessages({ sqs, queueUrl, visibilitySeconds }, batch);
      return;
    }
    const succeeded = succeededMessages(batch, result.payload, mapping.reportsFailures);
    for (let start = 0; start < succeeded.length; start += CALL_LIMIT) {
      const Entries = succeeded
        .slice(start, start + CALL_LIMIT)
        .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    }
  }

  /** Resolves when another batch may start. */
  async function waitForCapacity(): Promise<void> {
    while (running.size >= concurrency.usual) {
      const allHang = Math.max(...running.values()) + HANG_THRESHOLD_MS <= Date.now();
      if (allHang && running.size < concurrency.maximum) return;
      const recheck = sleep(HANG_THRESHOLD_MS, undefined, { ref: false });
      await Promise.race(allHang ? running.keys() : [...running.keys(), recheck]);
    }
  }

  async function poll(): Promise<void> {
    while (!stopping) {
      await waitForCapacity();
      try {
        const batch = await receiveBatch();
        if (batch.length > 0) track(processBatch(batch));
      } catch (error) {
        if (!stopping) {
          log(`${mapping.logicalId}: polling failed, retrying in ${ERROR_BACKOFF_MS} ms: ${String(error)}`);
          await sleep(ERROR_BACKOFF_MS);
        }
      } finally {
        collecting = false;
      }
    }
    await Promise.all(running.keys());
  }

  /** Only logs a failed delete. The messages are received again, and handlers must be idempotent anyway. */
  function track(work: Promise<void>): void {
    const settled: Promise<void> = work
      .catch((error: unknown) => log(`${mapping.logicalId}: ${String(error)}`))
      .finally(() => running.delete(settled));
    running.set(settled, Date.now());
  }

  const ended = poll();
  return {
    get busy() {
      return collecting || running.size > 0;
    },
    async stop() {
      stopping = true;
      await ended;
    },
  };
}
