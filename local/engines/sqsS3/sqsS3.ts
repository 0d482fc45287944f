import * as z from 'zod';
import { startThread } from '../../startThread.ts';
import type { BucketDeclaration } from '../../template/buckets.ts';
import { type AwsCredentials, LOCAL_CREDENTIALS } from '../awsCredentials.ts';
import type { DataDirectory } from '../dataDirectory.ts';
import type { Engine } from '../engine.ts';

export interface SqsS3Engine extends Engine {
  /** Ends every waiting long poll, so that pollers can stop with no receive request in flight. */
  endLongPolls(): void;
}

const Started = z.object({ port: z.number() });

/**
 * Starts the SQS and S3 engine in its own thread, because its database commits would block the gateway. A thread cannot
 * outlive the process. Presigned URLs are valid if these credentials signed them. Rejects with the worker's start error.
 */
export async function startSqsS3(
  data: DataDirectory,
  buckets: BucketDeclaration[],
  log: (line: string) => void,
  credentials: AwsCredentials = LOCAL_CREDENTIALS,
): Promise<SqsS3Engine> {
  const worker = startThread(new URL('./sqsS3.worker.ts', import.meta.url), {
    workerData: { queueDir: data.join('queues'), bucketDir: data.join('buckets'), buckets, credentials },
  });
  let stopping = false;
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const { port } = await new Promise<z.infer<typeof Started>>((resolve, reject) => {
    worker.once('message', (message) => resolve(Started.parse(message)));
    worker.once('error', reject);
  });
  worker.on('error', (error) =>
    log(`The SQS and S3 engine exited unexpectedly. Restart the service. Cause: ${String(error)}`),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    endLongPolls: () => {
      if (!stopping) worker.postMessage('release');
    },
    async stop() {
      stopping = true;
      worker.postMessage('stop');
      await exited;
    },
  };
}
