import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { gunzipSync, gzipSync } from 'node:zlib';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { forwarderSource } from '../../lib/bedrockLogs/forwarderFunction.ts';
import { bedrockRecord, subscriptionMessage } from '../ingest/formats/logs.ts';
import { listAllRecords } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { localClient } from '../support/localAws.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const PROMPT = 'prompt that must never leave the account';
const FOLDER = 'AWSLogs/123456789012/BedrockModelInvocationLogs/us-east-1/2026/11/01/12';
const BUCKET = 'bedrock-logs';

let instance: Instance;
let keys: { ingest: string; read: string };
let s3: S3Client;
let forward: (event: unknown, s3: S3Client) => Promise<void>;

beforeAll(async () => {
  instance = await sharedInstance();
  keys = demoTenants(instance.credentials).acme.api_keys;
  s3 = new S3Client({ ...localClient(instance.runtime.endpoints.s3), forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));
  // The deployed inline code, which Lambda loads as a CommonJS module.
  const loaded: { exports: { forward: typeof forward } } = { exports: { forward: async () => undefined } };
  new Function('module', 'require', forwarderSource())(loaded, createRequire(import.meta.url));
  forward = loaded.exports.forward;
  vi.stubEnv('ATTRIBUTION_URL', instance.baseUrl);
  vi.stubEnv('ATTRIBUTION_API_KEY', keys.ingest);
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  s3?.destroy();
  await instance?.stop();
});

const record = (service: string): string =>
  JSON.stringify(
    bedrockRecord(
      { requestId: randomUUID(), timestamp: new Date().toISOString(), requestMetadata: { service } },
      PROMPT,
    ),
  );
/** Writes an object as Bedrock does, and returns the message of the queue behind its bucket. */
const put = async (Key: string, Body: Buffer) => {
  await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));
  const created = {
    source: 'aws.s3',
    'detail-type': 'Object Created',
    detail: { bucket: { name: BUCKET }, object: { key: Key, size: Body.length } },
  };
  return { Records: [{ messageId: randomUUID(), body: JSON.stringify(created) }] };
};
const putLog = (lines: readonly string[]) =>
  put(`${FOLDER}/${randomUUID()}.json.gz`, gzipSync(lines.join('\n')));
const recordsOf = async (service: string) => {
  await instance.runtime.idle();
  return listAllRecords(instance.baseUrl, keys.read, `service=${service}&limit=200`);
};

it('records the calls of a log object with their tokens, price and owner, once', async () => {
  const message = await putLog([record('forwarded'), '', record('forwarded'), 'not JSON']);

  await forward(message, s3);
  await forward(message, s3);

  const records = await recordsOf('forwarded');
  expect(records).toHaveLength(2);
  expect(records[0]).toMatchObject({
    input_tokens: 7_520,
    cache_write_tokens: 7_502,
    output_tokens: 386,
    owner: 'assumed-role/checkout',
  });
  expect(Number(records[0]?.['cost_usd'])).toBeGreaterThan(0.02);
});

it('records the calls of a log subscription', async () => {
  const message = subscriptionMessage([record('subscribed')]);
  const control = { ...message, messageType: 'CONTROL_MESSAGE' };

  for (const sent of [message, control])
    await forward({ awslogs: { data: gzipSync(JSON.stringify(sent)).toString('base64') } }, s3);

  expect(await recordsOf('subscribed')).toHaveLength(1);
});

it('sends neither prompts nor output, in requests of limited size', async () => {
  const bodies: string[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: Uint8Array }) => {
    bodies.push(gunzipSync(body).toString('utf8'));
    return Response.json({ accepted: 1, rejected: 0, skipped: 0 }, { status: 202 });
  });

  await forward(await putLog(Array.from({ length: 3_000 }, () => record('large'))), s3);

  expect(bodies.length).toBeGreaterThan(1);
  expect(bodies.join('\n').split('\n')).toHaveLength(3_000);
  expect(Math.max(...bodies.map((body) => body.length))).toBeLessThan(2 ** 21);
  expect(bodies.join()).not.toContain(PROMPT);
});

it('does not read large prompts, which Bedrock stores beside the log', async () => {
  const message = await put(`${FOLDER}/data/${randomUUID()}_input.json.gz`, gzipSync(record('beside')));

  await forward(message, s3);

  expect(await recordsOf('beside')).toEqual([]);
});

it.each([
  ['an object is no gzip file', () => put(`${FOLDER}/${randomUUID()}.json.gz`, Buffer.from('broken'))],
  [
    'an object is cut off',
    () => put(`${FOLDER}/${randomUUID()}.json.gz`, gzipSync(record('cut')).subarray(0, 200)),
  ],
])('fails when %s, so the queue repeats the event and then keeps it', async (_, message) => {
  await expect(forward(await message(), s3)).rejects.toThrow();
});

it('fails when the service does not accept the calls', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 503 }));

  await expect(forward(await putLog([record('refused')]), s3)).rejects.toThrow('503');
});
