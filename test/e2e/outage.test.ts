import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, DeleteQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TableName } from '../../schemas/stores.ts';
import { type Answer, call, someEvent, walkAll } from '../support/client.ts';
import { type Instance, startInstance } from '../support/instance.ts';

const CLIENT = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
let instance: Instance;
let acme: Instance['credentials']['tenants'][number]['api_keys'];
let globex: typeof acme;

beforeAll(async () => {
  instance = await startInstance();
  const [first, second] = instance.credentials.tenants;
  if (first === undefined || second === undefined) throw new Error('two demo tenants are expected');
  [acme, globex] = [first.api_keys, second.api_keys];
});
afterAll(() => instance.stop());

const post = (body: unknown, idempotencyKey: string, key = acme.ingest): Promise<Answer> =>
  call(instance.baseUrl, '/api/v1/invocations', { key, body, idempotencyKey });
const list = (key: string): Promise<Answer> => call(instance.baseUrl, '/v1/attribution?limit=1', { key });
const replayed = (answer: Answer): string | null => answer.headers.get('idempotency-replayed');

/** The records an event made, by now. */
const recordsOf = async (event: Record<string, unknown>) => {
  await instance.runtime.idle();
  const records = await walkAll(instance.baseUrl, acme.read);
  return records.filter((record) => record['event_id'] === event['event_id']);
};

/** Runs with a table gone, and puts an empty one in its place. */
const without = async <Result>(names: TableName[], run: () => Promise<Result>): Promise<Result> => {
  const client = new DynamoDBClient({ ...CLIENT, endpoint: instance.runtime.endpoints.dynamodb });
  const restore = await Promise.all(
    names.map(async (name) => {
      const TableName = instance.credentials.tables[name] ?? '';
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      const { KeySchema, AttributeDefinitions } = Table ?? {};
      await client.send(new DeleteTableCommand({ TableName }));
      return () =>
        client.send(
          new CreateTableCommand({
            TableName,
            KeySchema,
            AttributeDefinitions,
            BillingMode: 'PAY_PER_REQUEST',
          }),
        );
    }),
  );
  // Tokens a function took before may still be spent for 200 ms.
  await sleep(300);
  try {
    return await run();
  } finally {
    await Promise.all(restore.map((create) => create()));
    client.destroy();
  }
};

it('a request that failed at the queue leaves its key free: the retry is the first', async () => {
  const [event, key] = [someEvent(), randomUUID()];
  const sqs = new SQSClient({ ...CLIENT, endpoint: instance.runtime.endpoints.sqs });
  const QueueUrl = instance.credentials.outputs['QueueAccepted'] ?? '';

  await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  const failed = [await post(event, key), await post(event, key)];
  await sqs.send(new CreateQueueCommand({ QueueName: QueueUrl.split('/').at(-1) }));
  const answers = [await post(event, key), await post(event, key)];
  sqs.destroy();

  for (const answer of failed) {
    expect(answer).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(replayed(answer)).toBeNull();
  }
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(answers.map(replayed)).toEqual([null, 'true']);
  expect(await recordsOf(event)).toHaveLength(1);
});

it.each<[TableName[], string]>([
  [['idempotency'], 'idempotency'],
  [['limits'], 'rate-limit'],
  [['limits', 'idempotency'], 'rate-limit, idempotency'],
])('(%s) ingestion goes on and names what it passed over', async (names, degraded) => {
  const [event, key] = [someEvent(), randomUUID()];

  const answers = await without(names, async () => [await post(event, key), await post(event, key)]);

  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(answers.map(({ headers }) => headers.get('degraded'))).toEqual([degraded, degraded]);
  expect(await recordsOf(event)).toHaveLength(1);
  expect((await post(event, key)).headers.get('degraded')).toBeNull();
});

it('(limits) reading answers that it is not available', async () => {
  const answers = await without(['limits'], async () => [
    await list(acme.read),
    await call(instance.baseUrl, '/api/v1/rate-limit', { key: acme.read }),
  ]);

  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(answer.headers.get('degraded')).toBeNull();
  }
});

it('(credentials) nobody is told that his key is wrong', async () => {
  // Keys no function has met yet, so that none is remembered.
  const { admin } = globex;

  const answers = await without(['access'], async () => [
    await list(admin),
    await post(someEvent(), randomUUID(), admin),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  expect(answers.map(({ body }) => body['error_code'])).toEqual([
    'SERVICE_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
  ]);
});
