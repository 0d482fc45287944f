import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateQueueCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type DataDirectory, lockDataDirectory } from '../../../local/engines/dataDirectory.ts';
import { type SqsS3Engine, startSqsS3 } from '../../../local/engines/sqsS3/sqsS3.ts';
import { type QueuePollerOptions, startQueuePoller } from '../../../local/events/queuePoller.ts';

// Engines start in these tests; a busy machine may take its time.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const Batch = z.string().transform((event) => {
  const { Records } = z.object({ Records: z.array(z.object({ body: z.string() })) }).parse(JSON.parse(event));
  return Records.map(({ body }) => body);
});

let data: DataDirectory;
let engine: SqsS3Engine;
let sqs: SQSClient;

beforeAll(async () => {
  data = lockDataDirectory(mkdtempSync(join(tmpdir(), 'poller-')));
  engine = await startSqsS3(data, [], () => {});
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  sqs = new SQSClient({ endpoint: engine.url, region: 'us-east-1', credentials });
});

afterAll(async () => {
  sqs.destroy();
  await engine.stop();
  data.release();
  rmSync(data.path, { recursive: true });
});

/** A queue that holds `count` messages. */
async function filled(QueueName: string, count: number): Promise<string> {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName }));
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

/** Starts a poller; the function it returns stops it. */
function poll(options: Pick<QueuePollerOptions, 'queueUrl' | 'invoke'> & Partial<QueuePollerOptions>) {
  const poller = startQueuePoller({
    sqs,
    waitSeconds: 20,
    concurrency: { usual: 2, maximum: 2 },
    log: () => {},
    mapping: MAPPING,
    ...options,
  });
  return async () => {
    const releasing = setInterval(() => engine.endLongPolls(), 10);
    await poller.stop();
    clearInterval(releasing);
  };
}

describe('a poller', () => {
  test('gathers a batch over several receives, but waits no whole window for it', async () => {
    const batches: string[][] = [];
    const stop = poll({
      queueUrl: await filled('gathered', 30),
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

  test('has no more batches at work than it may', async () => {
    let atWork = 0;
    let most = 0;
    let handled = 0;
    let open: () => void = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const stop = poll({
      queueUrl: await filled('crowded', 60),
      invoke: async (event) => {
        atWork += 1;
        most = Math.max(most, atWork);
        // The second opens the gate, late enough for a third to come were it let in.
        if (atWork === 2) setTimeout(open, 50);
        await opened;
        atWork -= 1;
        handled += Batch.parse(event).length;
        return { ok: true, payload: 'null' };
      },
    });
    await expect.poll(() => handled).toBe(60);
    await stop();
    expect(most).toBe(2);
  });

  test('lets others begin, so many more as it may, where all that are at work hang', async () => {
    const held: (() => void)[] = [];
    const stop = poll({
      queueUrl: await filled('hanging', 60),
      concurrency: { usual: 2, maximum: 4 },
      invoke: async () => {
        await new Promise<void>((resolve) => held.push(resolve));
        return { ok: true, payload: 'null' };
      },
    });
    await expect.poll(() => held.length).toBe(4);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(held).toHaveLength(4);

    held[0]?.();
    await expect.poll(() => held.length).toBe(5);
    const releasing = setInterval(() => held.map((release) => release()), 10);
    await stop();
    clearInterval(releasing);
  });

  test('reports a queue that cannot be polled and can still be stopped', async () => {
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
