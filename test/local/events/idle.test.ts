import { createServer } from 'node:http';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../../local/engines/awsCredentials.ts';
import { waitUntilIdle } from '../../../local/events/idle.ts';

/** Every queue has one message that a consumer holds. */
const queues = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ Attributes: { ApproximateNumberOfMessagesNotVisible: '1' } }));
});
let sqs: SQSClient;
beforeAll(async () => {
  await new Promise<void>((done) => queues.listen(0, '127.0.0.1', done));
  const address = queues.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  sqs = new SQSClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: LOCAL_CREDENTIALS,
  });
});
afterAll(() => {
  sqs.destroy();
  queues.close();
});

const never = (): Promise<unknown> => new Promise(() => undefined);
it.each([
  ['functions that run', { running: ['worker', 'jobs'], settled: undefined, says: 'worker, jobs' }],
  ['a stream that is behind', { running: [], settled: never, says: 'a stream' }],
  ['a message that a consumer holds', { running: [], settled: undefined, says: 'http://queue/one' }],
])('says after its patience that it waits for %s', async (_, { running, settled, says }) => {
  const waits = waitUntilIdle(sqs, ['http://queue/one'], () => ({ running, begun: 0 }), {
    patienceMs: 500,
    ...(settled !== undefined && { settled }),
  });
  await expect(waits).rejects.toThrow(`still busy after 0.5 seconds with: ${says}`);
});
