import { parentPort, workerData } from 'node:worker_threads';
import { buildApp } from 'fauxqs';
import * as z from 'zod';
import { collectWhenIdle } from '../../idleCollection.ts';
import { portOf } from '../freePort.ts';
import { keepMessageGroups } from './fairQueues.ts';
import { authorizeRequests } from './s3Access.ts';
import { expiredKeys } from './s3Lifecycle.ts';
import { openStores } from './sqsS3Stores.ts';

const { queueDir, bucketDir, buckets, credentials } = z
  .object({
    queueDir: z.string(),
    bucketDir: z.string(),
    buckets: z.array(
      z.object({
        name: z.string(),
        expirations: z.array(z.object({ prefix: z.string(), days: z.number() })),
      }),
    ),
    credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  })
  .parse(workerData);

/** S3 applies lifecycle rules about once a day, at an unspecified time. */
const EXPIRY_INTERVAL_MS = 3_600_000;

const stores = await openStores(queueDir, bucketDir);
const app = buildApp({ logger: false, stores });
authorizeRequests(app, credentials, Date.now);
keepMessageGroups(app);
const answered = collectWhenIdle();
// Commits before each response, so that an acknowledged write is durable.
app.addHook('onSend', (_request, _reply, _payload, done) => {
  stores.commit();
  answered();
  done();
});
await app.listen({ host: '127.0.0.1', port: 0 });
const port = portOf(app.server);
stores.load(`http://127.0.0.1:${port}`);
const { s3Store } = stores;
for (const { name } of buckets) if (!s3Store.hasBucket(name)) s3Store.createBucket(name);
expireObjects();
setInterval(expireObjects, EXPIRY_INTERVAL_MS).unref();

parentPort?.on('message', async (message) => {
  if (message === 'release') return stores.sqsStore.shutdown();
  await app.close();
  stores.close();
  process.exit(0);
});
parentPort?.postMessage({ port });

/** Deletes the objects that the lifecycle rules of their bucket expire. */
function expireObjects(): void {
  for (const { name, expirations } of buckets) {
    const { objects } = s3Store.listObjects(name, { maxKeys: Number.POSITIVE_INFINITY });
    s3Store.deleteObjects(name, expiredKeys(objects, expirations, Date.now()));
  }
}
