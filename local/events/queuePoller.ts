import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { InvocationResult } from '../lambda/sandbox.ts';
import type { QueueMappingDeclaration } from '../template/queueMappingsAndSchedules.ts';
import { sqsEvent, succeededMessages } from './sqsBatch.ts';

export interface QueuePollerOptions {
  mapping: QueueMappingDeclaration;
  queueUrl: string;
  sqs: SQSClient;
  /** How long a receive may wait for messages; a stop may have to wait as long. */
  waitSeconds: number;
  /** Batches handled at once: usually, and where all of these hang. */
  concurrency: { usual: number; most: number };
  invoke: (event: string) => Promise<InvocationResult>;
  log: (line: string) => void;
}

export interface QueuePoller {
  /** Whether messages were received and their batch is not done. */
  readonly busy: boolean;
  /** Receives no more and waits for the receive and the batches under way. */
  stop(): Promise<void>;
}

/** SQS hands out and deletes at most ten messages a call. */
const CALL_LIMIT = 10;
/** A batching window saves invocations, which cost nothing here; a short one keeps work visible at once. */
const WINDOW_LIMIT_MS = 100;
const WINDOW_STEP_MS = 20;
const ERROR_BACKOFF_MS = 1000;
/** A batch that takes longer waits for somebody else, and must not hold up the others. */
const HANGING_MS = 1000;

/**
 * Feeds a queue to a function as an event source mapping does. Messages of a failed batch are left alone: they come back
 * after the queue's visibility time-out and go to its dead-letter queue after too many receives.
 */
export function startQueuePoller(options: QueuePollerOptions): QueuePoller {
  const { mapping, queueUrl, sqs, waitSeconds, concurrency, invoke, log } = options;
  /** Batches under way, and when they began. */
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
    const result = await invoke(JSON.stringify(sqsEvent(batch, mapping.queueArn)));
    const done = result.ok ? succeededMessages(batch, result.payload, mapping.reportsFailures) : [];
    for (let start = 0; start < done.length; start += CALL_LIMIT) {
      const Entries = done
        .slice(start, start + CALL_LIMIT)
        .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    }
  }

  /** Resolves when another batch may begin. */
  async function waitForCapacity(): Promise<void> {
    while (running.size >= concurrency.usual) {
      const allHang = Math.max(...running.values()) + HANGING_MS <= Date.now();
      if (allHang && running.size < concurrency.most) return;
      const look = sleep(HANGING_MS, undefined, { ref: false });
      await Promise.race(allHang ? running.keys() : [...running.keys(), look]);
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
          log(`${mapping.logicalId}: polling failed, trying again: ${String(error)}`);
          await sleep(ERROR_BACKOFF_MS);
        }
      } finally {
        collecting = false;
      }
    }
    await Promise.all(running.keys());
  }

  /** A failed delete is only noted: the messages come back, and handlers must bear that anyway. */
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
