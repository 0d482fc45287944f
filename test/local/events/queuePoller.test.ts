import { rmSync } from 'node:fs';
import { CreateQueueCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { LOCAL_CREDENTIALS } from '../../../local/engines/awsCredentials.ts';
import { type DataDirectory, lockDataDirectory } from '../../../local/engines/dataDirectory.ts';
import { type SqsS3Engine, startSqsS3 } from '../../../local/engines/sqsS3/sqsS3.ts';
import { type QueuePollerOptions, startQueuePoller } from '../../../local/events/queuePoller.ts';
import { returnMessages } from '../../../local/events/returnMessages.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const Batch = z.string().transform((event) => {
  const { Records } = z.object({ Records: z.array(z.object({ body: z.string() })) }).parse(JSON.parse(event));
  return Records.map(({ body }) => body);
});

const Changes = z.object({ Entries: z.array(z.object({ VisibilityTimeout: z.number() })) });

/** What the runtime reports when a function ends its process. */
const EXITED = { errorType: 'Runtime.ExitError', errorMessage: 'exit status 1', trace: [] };

let data: DataDirectory;
let engine: SqsS3Engine;
let sqs: SQSClient;

beforeAll(async () => {
  data = lockDataDirectory(temporaryDirectory());
  engine = await startSqsS3(data, [], () => {});
  const credentials = LOCAL_CREDENTIALS;
  sqs = new SQSClient({ endpoint: engine.url, region: 'us-east-1', credentials });
});

afterAll(async () => {
  sqs.destroy();
  await engine.stop();
  data.release();
  rmSync(data.path, { recursive: true });
});

/** A queue that holds `count` messages. */
async function filledQueue(
  QueueName: string,
  count: number,
  Attributes: Record<string, string> = {},
): Promise<string> {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
  for (let sent = 0; sent < count; sent += 10) {
    const Entries = Array.from({ length: Math.min(10, count - sent) }, (_, index) => ({
      Id: String(index),
      MessageBody: String(sent + index),
    }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
  return QueueUrl ?? '';
}

const MAPPING = {
  logicalId: 'Mapping',
  queueArn: 'arn',
  functionName: 'it',
  batchSize: 10,
  windowMs: 0,
  reportsFailures: false,
  maximumConcurrency: undefined,
};

/** Starts a poller. The returned function stops it. */
function poll(options: Pick<QueuePollerOptions, 'queueUrl' | 'invoke'> & Partial<QueuePollerOptions>) {
  const poller = startQueuePoller({
    sqs,
    waitSeconds: 20,
    visibilitySeconds: 30,
    concurrency: { usual: 2, maximum: 2 },
    log: () => {},
    mapping: MAPPING,
    ...options,
  });
  return async () => {
    const endingPolls = setInterval(() => engine.endLongPolls(), 10);
    await poller.stop();
    clearInterval(endingPolls);
  };
}

describe('startQueuePoller', () => {
  test('collects a batch from several receives without waiting for the whole window', async () => {
    const batches: string[][] = [];
    const stop = poll({
      queueUrl: await filledQueue('gathered', 30),
      mapping: { ...MAPPING, batchSize: 25, windowMs: 60_000 },
      invoke: async (event) => {
        batches.push(Batch.parse(event));
        return { ok: true, payload: 'null' };
      },
    });
    await expect.poll(() => batches.flat()).toHaveLength(30);
    await stop();
    expect(batches[0]?.length).toBeGreaterThan(10);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(25);
  });

  test('runs no more batches at once than its concurrency allows', async () => {
    let running = 0;
    let maxRunning = 0;
    let handled = 0;
    let open: () => void = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const stop = poll({
      queueUrl: await filledQueue('crowded', 60),
      invoke: async (event) => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        // The second batch opens the gate after 50 ms. A third batch could start in that time if the limit failed.
        if (running === 2) setTimeout(open, 50);
        await opened;
        running -= 1;
        handled += Batch.parse(event).length;
        return { ok: true, payload: 'null' };
      },
    });
    await expect.poll(() => handled).toBe(60);
    await stop();
    expect(maxRunning).toBe(2);
  });

  test('raises its concurrency up to the maximum when all running batches hang', async () => {
    const pending: (() => void)[] = [];
    const stop = poll({
      queueUrl: await filledQueue('hanging', 60),
      concurrency: { usual: 2, maximum: 4 },
      invoke: async () => {
        await new Promise<void>((resolve) => pending.push(resolve));
        return { ok: true, payload: 'null' };
      },
    });
    await expect.poll(() => pending.length).toBe(4);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(pending).toHaveLength(4);

    pending[0]?.();
    await expect.poll(() => pending.length).toBe(5);
    const endingPolls = setInterval(() => pending.map((release) => release()), 10);
    await stop();
    clearInterval(endingPolls);
  });

  test('receives the messages of a crashed function again long before the visibility timeout', async () => {
    const events: string[] = [];
    const stop = poll({
      queueUrl: await filledQueue('crashing', 1, { VisibilityTimeout: '3600' }),
      visibilitySeconds: 1,
      invoke: async (event) => {
        events.push(event);
        return events.length === 1 ? { ok: false, error: EXITED } : { ok: true, payload: 'null' };
      },
    });
    await expect.poll(() => events.flatMap((event) => Batch.parse(event))).toEqual(['0', '0']);
    await stop();
  });

  test('waits longer after each further crash, but never longer than the visibility timeout', async () => {
    const send = vi.spyOn(sqs, 'send').mockImplementation(async () => ({}));
    onTestFinished(() => send.mockRestore());

    const queue = { sqs, queueUrl: 'url', visibilitySeconds: 180 };
    await returnMessages(
      queue,
      ['1', '2', '3', '4', '5'].map((ApproximateReceiveCount) => ({
        Attributes: { ApproximateReceiveCount },
      })),
    );

    const [command] = send.mock.lastCall ?? [];
    const { Entries } = Changes.parse(command?.input);
    expect(Entries.map(({ VisibilityTimeout }) => VisibilityTimeout)).toEqual([5, 15, 45, 135, 180]);
  });

  test('logs a queue that cannot be polled, and can still be stopped', async () => {
    const lines: string[] = [];
    const stop = poll({
      queueUrl: `${engine.url}/000000000000/missing`,
      invoke: async () => ({ ok: true, payload: 'null' }),
      log: (line) => lines.push(line),
    });
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    await stop();
    expect(lines[0]).toContain('Mapping: polling failed');
  });
});
