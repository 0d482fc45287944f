import { parentPort, workerData } from 'node:worker_threads';
import { buildApp } from 'fauxqs';
import * as z from 'zod';
import { portOf } from './freePort.ts';
import { openStores } from './messagingStores.ts';

const { queueDir, bucketDir, buckets } = z
  .object({ queueDir: z.string(), bucketDir: z.string(), buckets: z.array(z.string()) })
  .parse(workerData);

const stores = await openStores(queueDir, bucketDir);
const app = buildApp({ logger: false, stores });
// No answer leaves before what it promises is in the database.
app.addHook('onSend', (_request, _reply, _payload, done) => {
  stores.commit();
  done();
});
await app.listen({ host: '127.0.0.1', port: 0 });
const port = portOf(app.server);
stores.load(`http://127.0.0.1:${port}`);
for (const bucket of buckets) if (!stores.s3Store.hasBucket(bucket)) stores.s3Store.createBucket(bucket);

parentPort?.on('message', async (message) => {
  if (message === 'release') return stores.sqsStore.shutdown();
  await app.close();
  stores.close();
  process.exit(0);
});
parentPort?.postMessage({ port });
