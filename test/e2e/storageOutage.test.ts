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
import type { TableName } from '../../schemas/platform/tables.ts';
import { type Answer, call, someEvent } from '../support/client.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { localClient } from '../support/localAws.ts';
import { demoTenants, recordsOfEvent, replayed } from '../support/localService.ts';

let instance: Instance;
let acme: Instance['credentials']['tenants'][number]['api_keys'];
let globex: typeof acme;

beforeAll(async () => {
  instance = await startInstance();
  const { acme: first, globex: second } = demoTenants(instance.credentials);
  [acme, globex] = [first.api_keys, second.api_keys];
});
afterAll(() => instance.stop());

const post = (body: unknown, idempotencyKey: string, key = acme.ingest): Promise<Answer> =>
  call(instance.baseUrl, '/api/v1/invocations', { key, body, idempotencyKey });
const list = (key: string): Promise<Answer> => call(instance.baseUrl, '/v1/attribution?limit=1', { key });

/** The current records of an event. */
const recordsOf = (event: Record<string, unknown>) => recordsOfEvent(instance, acme.read, event['event_id']);

/** Runs without the given tables, then creates them again, empty. */
const without = async <Result>(names: TableName[], run: () => Promise<Result>): Promise<Result> => {
  const client = new DynamoDBClient(localClient(instance.runtime.endpoints.dynamodb));
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
  // A function may use rate limit tokens that it already leased for another 200 ms.
  await sleep(300);
  try {
    return await run();
  } finally {
    await Promise.all(restore.map((create) => create()));
    client.destroy();
  }
};

it('does not consume the idempotency key when the queue is unavailable', async () => {
  const [event, key] = [someEvent(), randomUUID()];
  const sqs = new SQSClient(localClient(instance.runtime.endpoints.sqs));
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
  [['claims'], 'idempotency'],
  [['limits'], 'rate-limit'],
  [['limits', 'claims'], 'rate-limit, idempotency'],
])('accepts events and names the skipped checks in Degraded without %s', async (names, degraded) => {
  const [event, key] = [someEvent(), randomUUID()];

  const answers = await without(names, async () => [await post(event, key), await post(event, key)]);

  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(answers.map(({ headers }) => headers.get('degraded'))).toEqual([degraded, degraded]);
  expect(await recordsOf(event)).toHaveLength(1);
  expect((await post(event, key)).headers.get('degraded')).toBeNull();
});

it('accepts batches and names the skipped check in Degraded without the idempotency table', async () => {
  const [event, idempotencyKey] = [someEvent(), randomUUID()];
  const body = { events: [event] };
  const send = () =>
    call(instance.baseUrl, '/api/v1/invocations/batch', { key: acme.ingest, body, idempotencyKey });

  const answers = await without(['idempotency'], async () => [await send(), await send()]);

  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(answers.map(({ headers }) => headers.get('degraded'))).toEqual(['idempotency', 'idempotency']);
  expect(await recordsOf(event)).toHaveLength(1);
});

it('returns 503 for reads without the limits table', async () => {
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

const KEYS = '/api/v1/api-keys';
const create = (name: string, idempotencyKey: string): Promise<Answer> =>
  call(instance.baseUrl, KEYS, {
    key: globex.admin,
    body: { name, scopes: ['ingest:write'] },
    idempotencyKey,
  });
const named = async (name: string): Promise<unknown[]> => {
  const { data } = (await call(instance.baseUrl, `${KEYS}?limit=200`, { key: globex.admin })).body;
  return Array.isArray(data) ? data.filter((key) => key.name === name) : [];
};

it.each<TableName>(['idempotency', 'audit', 'limits'])(
  'creates no key without the %s table, and the retry succeeds',
  async (table) => {
    const [name, key] = [`without ${table}`, randomUUID()];

    const failed = await without([table], () => create(name, key));
    const before = await named(name);
    const answers = [await create(name, key), await create(name, key)];

    expect(failed).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
    expect(failed.headers.get('retry-after')).toBe('1');
    expect(before).toEqual([]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers.map(replayed)).toEqual([null, 'true']);
    expect(await named(name)).toHaveLength(1);
  },
);

it('keeps the old secret valid when the rotation event cannot be written to the outbox', async () => {
  const created = await create('to be rotated', randomUUID());
  const [secret, path, key] = [
    String(created.body['secret']),
    `${KEYS}/${created.body['id']}/rotate`,
    randomUUID(),
  ];
  const rotate = () =>
    call(instance.baseUrl, path, { method: 'POST', key: globex.admin, idempotencyKey: key });
  const send = (by: string) => post(someEvent(), randomUUID(), by);

  const failed = await without(['outbox'], rotate);
  const meanwhile = await send(secret);
  const rotated = await rotate();

  expect([failed.status, meanwhile.status, rotated.status]).toEqual([503, 202, 200]);
  expect(replayed(rotated)).toBeNull();
  expect(
    [await send(secret), await send(String(rotated.body['secret']))].map(({ status }) => status),
  ).toEqual([401, 202]);
});

it('returns 503 instead of 403 when the rejection cannot be audited', async () => {
  const refused = () =>
    call(instance.baseUrl, KEYS, { key: acme.ingest, body: { name: 'x', scopes: ['ingest:write'] } });

  const failed = await without(['audit'], refused);
  const retried = await refused();

  expect([failed.status, retried.status]).toEqual([503, 403]);
});

it('returns 503 instead of 401 without the access table', async () => {
  // Must be the last test, because the restored table is empty. Functions do not cache credentials.
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
