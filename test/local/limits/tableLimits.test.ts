import { channel } from 'node:diagnostics_channel';
import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AwsRequest, publishCalls } from '../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { lockDataDirectory } from '../../../local/engines/dataDirectory.ts';
import { startDynamoDb } from '../../../local/engines/dynamodb/dynamodb.ts';
import type { Engine } from '../../../local/engines/engine.ts';
import { tableLimits } from '../../../local/limits/enforceTableLimits.ts';
import type { LimitedTable } from '../../../local/limits/limitState.ts';
import { shareLimits, type Throughput, throughputOf } from '../../../local/limits/throughput.ts';
import { localClient } from '../../support/localAws.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const PLAIN: LimitedTable = {
  name: 'plain',
  arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/plain',
  partitionKey: 'pk',
};
const OTHER: LimitedTable = { ...PLAIN, name: 'other' };

let engine: Engine;
let client: DynamoDBClient;
let data: ReturnType<typeof lockDataDirectory>;

beforeAll(async () => {
  data = lockDataDirectory(temporaryDirectory());
  engine = await startDynamoDb(data, () => undefined);
  client = new DynamoDBClient({ ...localClient(engine.url), maxAttempts: 1 });
  publishCalls(client.middlewareStack, 'dynamodb');
  for (const { name } of [PLAIN, OTHER]) {
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
      }),
    );
  }
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
  data.release();
});

let now = 0;
let throughput: Throughput;
let enforce: (message: unknown) => void = () => undefined;
/** Limits the calls of this process, at a clock that the test moves. */
const limitTo = (scale: number, uniform = () => 0.5): void => {
  const limits = shareLimits([PLAIN, OTHER], scale, 0);
  throughput = throughputOf(limits, () => now, uniform);
  const limit = tableLimits(limits, throughput);
  enforce = (message) => limit(message as AwsRequest);
  channel('aws.request').subscribe(enforce);
};
beforeEach(() => {
  now = 0;
});
afterEach(() => channel('aws.request').unsubscribe(enforce));

let keys = 0;
const newKey = (): string => {
  keys += 1;
  return `key ${keys}`;
};
const itemOf = (pk: string, sk: number | string = 'row', bytes = 100) => ({
  pk: { S: pk },
  sk: { S: String(sk) },
  cost: { S: 'x' },
  text: { S: 'a'.repeat(bytes) },
});
const put = (pk: string, sk?: number | string, bytes?: number, TableName = 'plain') =>
  client.send(new PutItemCommand({ TableName, Item: itemOf(pk, sk, bytes) }));
/** Calls one after the other until one is refused. Returns how many succeeded, and the error. */
const untilRefused = async (call: (index: number) => Promise<unknown>): Promise<[number, unknown]> => {
  for (let index = 0; index < 2_000; index += 1) {
    try {
      await call(index);
    } catch (error) {
      return [index, error];
    }
  }
  throw new Error('No call was refused');
};

describe('the throughput of a partition key', () => {
  it('is 1,000 write units a second, scaled, and is available again with time', async () => {
    limitTo(1 / 50);
    const pk = newKey();

    const [written, error] = await untilRefused((index) => put(pk, index));
    expect(written).toBe(20);
    expect(error).toMatchObject({
      name: 'ThrottlingException',
      throttlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: PLAIN.arn }],
    });
    now += 500;
    expect((await untilRefused((index) => put(pk, index)))[0]).toBe(10);
  });

  it('does not limit other keys', async () => {
    limitTo(1 / 50);
    await untilRefused((index) => put('hot', index));

    await expect(put(newKey())).resolves.toBeDefined();
  });

  it('counts a kilobyte of an item as one unit', async () => {
    limitTo(1 / 50);
    const pk = newKey();

    expect((await untilRefused((index) => put(pk, index, 3_500)))[0]).toBe(5);
  });

  it('is 3,000 read units a second, of 4 kB, and half for eventually consistent reads', async () => {
    const pk = newKey();
    await put(pk, 'row', 7_000);
    limitTo(1 / 500);
    const get = (isConsistent: boolean) =>
      client.send(
        new GetItemCommand({
          TableName: 'plain',
          Key: { pk: { S: pk }, sk: { S: 'row' } },
          ConsistentRead: isConsistent,
        }),
      );
    expect((await untilRefused(() => get(true)))[0]).toBe(3);
    now += 1_000;
    const [reads, error] = await untilRefused(() => get(false));
    expect(reads).toBe(6);
    expect(error).toMatchObject({ throttlingReasons: [{ reason: 'TableReadKeyRangeThroughputExceeded' }] });
  });

  it('limits queries by the data that they read', async () => {
    const pk = newKey();
    for (let index = 0; index < 10; index += 1) await put(pk, index, 3_900);
    limitTo(1 / 500);

    const [queries] = await untilRefused(() =>
      client.send(
        new QueryCommand({
          TableName: 'plain',
          KeyConditionExpression: '#partition = :pk AND sk >= :from',
          ExpressionAttributeNames: { '#partition': 'pk' },
          ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { S: '0' } },
          ConsistentRead: true,
        }),
      ),
    );
    // 6 units of burst, of which the first query takes 10.
    expect(queries).toBe(1);
  });
});

describe('the throughput of a table', () => {
  it('is 4,000 write units a second for a new table, over all keys', async () => {
    limitTo(1 / 1_000);

    const [written, error] = await untilRefused(() => put(newKey()));

    // Five seconds of unused throughput.
    expect(written).toBe(20);
    expect(error).toMatchObject({ name: 'ThrottlingException' });
  });

  it('doubles the previous peak after a minute', async () => {
    limitTo(1 / 1_000);
    for (let second = 0; second < 60; second += 1) {
      now += 1_000;
      await Promise.all(Array.from({ length: 4 }, () => put(newKey())));
    }
    now += 1_000;
    await put(newKey());
    now += 5_000;

    expect((await untilRefused(() => put(newKey())))[0]).toBeGreaterThan(25);
  });
});

describe('a transaction', () => {
  it('is cancelled with a reason for each item, and nothing is written', async () => {
    limitTo(1 / 50);
    const [hot, cold] = [newKey(), newKey()];
    await untilRefused((index) => put(hot, index));

    const writing = client.send(
      new TransactWriteItemsCommand({
        TransactItems: [cold, hot].map((pk) => ({ Put: { TableName: 'plain', Item: itemOf(pk, 'new') } })),
      }),
    );

    await expect(writing).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }],
    });
    channel('aws.request').unsubscribe(enforce);
    const Key = { pk: { S: cold }, sk: { S: 'new' } };
    expect((await client.send(new GetItemCommand({ TableName: 'plain', Key }))).Item).toBeUndefined();
  });
});

describe('a batch', () => {
  it('returns throttled writes as UnprocessedItems, and applies the others', async () => {
    limitTo(1 / 50);
    const [hot, cold] = [newKey(), newKey()];
    await untilRefused((index) => put(hot, index));

    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({
        RequestItems: { plain: [hot, cold].map((pk) => ({ PutRequest: { Item: itemOf(pk, 'new') } })) },
      }),
    );

    expect(UnprocessedItems).toEqual({ plain: [{ PutRequest: { Item: itemOf(hot, 'new') } }] });
    const Key = { pk: { S: cold }, sk: { S: 'new' } };
    expect((await client.send(new GetItemCommand({ TableName: 'plain', Key }))).Item).toEqual(
      itemOf(cold, 'new'),
    );
  });

  it('returns throttled keys as UnprocessedKeys', async () => {
    const [hot, cold] = [newKey(), newKey()];
    await Promise.all([put(hot), put(cold)]);
    limitTo(1 / 1_000);
    const keyOf = (pk: string) => ({ pk: { S: pk }, sk: { S: 'row' } });
    const get = (...pks: string[]) =>
      client.send(
        new BatchGetItemCommand({
          RequestItems: { plain: { Keys: pks.map(keyOf), ConsistentRead: true } },
        }),
      );
    await untilRefused(() => get(hot));

    const { Responses, UnprocessedKeys } = await get(hot, cold);

    expect(Responses?.['plain']).toEqual([itemOf(cold)]);
    expect(UnprocessedKeys).toEqual({ plain: { Keys: [keyOf(hot)], ConsistentRead: true } });
  });

  it('is throttled as a whole if no entry is left', async () => {
    limitTo(1 / 50);
    const hot = newKey();
    await untilRefused((index) => put(hot, index));

    await expect(
      client.send(
        new BatchWriteItemCommand({
          RequestItems: { plain: [{ PutRequest: { Item: itemOf(hot, 'new') } }] },
        }),
      ),
    ).rejects.toMatchObject({ name: 'ThrottlingException' });
  });
});

describe('a batch of inserts', () => {
  const insert = (...pks: string[]) =>
    client.send(
      new BatchExecuteStatementCommand({
        Statements: pks.map((pk) => ({
          Statement: `INSERT INTO "plain" VALUE {'text': ?, 'pk': ?, 'sk': ?}`,
          Parameters: [{ S: 'a' }, { S: pk }, { S: 'new' }],
        })),
      }),
    );

  it('reports throttled statements in their place, and applies the others', async () => {
    limitTo(1 / 50);
    const [hot, ...cold] = [newKey(), newKey(), newKey()];
    await untilRefused((index) => put(hot, index));

    const { Responses } = await insert(cold[0] ?? '', hot, cold[1] ?? '');

    expect(Responses?.map((response) => response.Error?.Code)).toEqual([
      undefined,
      'ThrottlingError',
      undefined,
    ]);
    expect((await insert(hot)).Responses?.map((response) => response.Error?.Code)).toEqual([
      'ThrottlingError',
    ]);
    for (const pk of cold) {
      const Key = { pk: { S: pk }, sk: { S: 'new' } };
      expect((await client.send(new GetItemCommand({ TableName: 'plain', Key }))).Item).toBeDefined();
    }
  });

  it('consumes the throughput of its keys', async () => {
    limitTo(1 / 50);
    const pk = newKey();
    for (let index = 0; index < 30; index += 1) {
      const [error] = (await insert(pk)).Responses ?? [];
      if (error?.Error?.Code === 'ThrottlingError') return;
    }
    expect.fail('30 writes a second were accepted instead of 20');
  });
});

describe('throttling on request', () => {
  it('refuses the given share of the writes of one table, until it is ended', async () => {
    let draw = 0;
    limitTo(1, () => {
      draw += 0.25;
      return draw % 1;
    });
    throughput.throttle('plain', 'write', 0.5);
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => put(newKey())));
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(20);
    await expect(put(newKey(), 'row', 10, 'other')).resolves.toBeDefined();

    throughput.throttle('plain', 'write', 0);
    await expect(put(newKey())).resolves.toBeDefined();
  });

  it('rejects an unknown table', () => {
    limitTo(1);

    expect(() => throughput.throttle('nowhere', 'write', 1)).toThrow('There is no table nowhere to throttle');
  });
});
