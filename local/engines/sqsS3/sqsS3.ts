import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import type { BucketDeclaration } from '../../template/buckets.ts';
import { type AwsCredentials, LOCAL_CREDENTIALS } from '../awsCredentials.ts';
import type { DataDirectory } from '../dataDirectory.ts';
import type { Engine } from '../engine.ts';

export interface SqsS3Engine extends Engine {
  /** Answers every waiting long poll at once, so that pollers can end without leaving a receive behind. */
  endLongPolls(): void;
}

const Started = z.object({ port: z.number() });

/**
 * Starts the queue and bucket engine in a thread of its own: its database commits would otherwise hold up the gateway,
 * and a thread cannot outlive the process. Addresses of objects are good if these credentials signed them.
 * Throws what the thread throws while it starts.
 */
export async function startSqsS3(
  data: DataDirectory,
  buckets: BucketDeclaration[],
  log: (line: string) => void,
  credentials: AwsCredentials = LOCAL_CREDENTIALS,
): Promise<SqsS3Engine> {
  const worker = new Worker(new URL('./sqsS3.worker.ts', import.meta.url), {
    workerData: { queueDir: data.join('queues'), bucketDir: data.join('buckets'), buckets, credentials },
  });
  let stopping = false;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const { port } = await new Promise<z.infer<typeof Started>>((resolve, reject) => {
    worker.once('message', (message) => resolve(Started.parse(message)));
    worker.once('error', reject);
  });
  worker.on('error', (error) => log(`The queue engine ended unexpectedly: ${String(error)}`));
  return {
    url: `http://127.0.0.1:${port}`,
    endLongPolls: () => {
      if (!stopping) worker.postMessage('release');
    },
    async stop() {
      stopping = true;
      worker.postMessage('stop');
      await ended;
    },
  };
}
