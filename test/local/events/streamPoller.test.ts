import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type DataDirectory, lockDataDirectory } from '../../../local/engines/dataDirectory.ts';
import { startDynamoDb } from '../../../local/engines/dynamodb/dynamodb.ts';
import type { Engine } from '../../../local/engines/engine.ts';
import { matchesPattern } from '../../../local/events/eventFilter.ts';
import { type StreamPoller, startStreamPoller } from '../../../local/events/streamPoller.ts';
import { streamReader } from '../../../local/events/streamReader.ts';
import type { InvocationResult } from '../../../local/lambda/sandbox.ts';
import type { Pattern } from '../../../local/template/streams.ts';
import { temporaryDirectory } from '../../support/instance.ts';

// Engines start in these tests; a busy machine may take its time.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const CLIENT = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

const DeliveredEvent = z.string().transform((event) =>
  z
    .object({
      Records: z.array(
        z.object({ dynamodb: z.object({ Keys: z.object({ pk: z.object({ S: z.string() }) }) }) }),
      ),
    })
    .parse(JSON.parse(event))
    .Records.map(({ dynamodb }) => dynamodb.Keys.pk.S),
);

let data: DataDirectory;
let engine: Engine;
let client: DynamoDBClient;
const followers: StreamPoller[] = [];
let tables = 0;

beforeAll(async () => {
  data = lockDataDirectory(temporaryDirectory());
  engine = await startDynamoDb(data, () => {});
  client = new DynamoDBClient({ ...CLIENT, endpoint: engine.url });
});
afterEach(async () => {
  await Promise.all(followers.splice(0).map((follower) => follower.stop()));
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
  data.release();
  rmSync(data.path, { recursive: true });
});

async function newTable(): Promise<string> {
  tables += 1;
  const TableName = `Table${tables}`;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    }),
  );
  return TableName;
}

const put = async (TableName: string, ...keys: string[]): Promise<void> => {
  for (const pk of keys) await client.send(new PutItemCommand({ TableName, Item: { pk: { S: pk } } }));
};

const DONE: InvocationResult = { ok: true, payload: 'null' };

function startPolling(
  table: string,
  tell: (keys: string[], event: string) => InvocationResult | Promise<InvocationResult>,
  options: { patterns?: Pattern[]; file?: string } = {},
): StreamPoller {
  const follower = startStreamPoller({
    mapping: {
      logicalId: table,
      table,
      functionName: 'it',
      batchSize: 10,
      patterns: options.patterns ?? [],
      reportsFailures: true,
    },
    reader: streamReader(client, engine.url, table),
    file: options.file ?? join(data.path, 'streams', `${table}.json`),
    invoke: async (event) => tell(DeliveredEvent.parse(event), event),
    log: () => {},
  });
  followers.push(follower);
  return follower;
}

const letters = (count: number): string[] => Array.from({ length: count }, (_, index) => `key ${index}`);

describe('a follower', () => {
  test('tells of every change once and in order, with the event Lambda makes', async () => {
    const table = await newTable();
    const told: string[][] = [];
    const events: string[] = [];
    await put(table, ...letters(25));

    const follower = startPolling(table, (keys, event) => {
      told.push(keys);
      events.push(event);
      return DONE;
    });
    await follower.whenCaughtUp();
    await put(table, 'later');
    await follower.whenCaughtUp();

    expect(told.flat()).toEqual([...letters(25), 'later']);
    expect(Math.max(...told.map(({ length }) => length))).toBeLessThanOrEqual(10);
    expect(JSON.parse(events[0] ?? '').Records[0]).toMatchObject({
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      eventSourceARN: expect.stringContaining(`table/${table}/stream/`),
      awsRegion: 'us-east-1',
      dynamodb: { NewImage: { pk: { S: 'key 0' } }, SequenceNumber: expect.stringMatching(/^\d+$/) },
    });
  });

  test('begins again at the change that failed', async () => {
    const table = await newTable();
    const told: string[][] = [];
    await put(table, ...letters(4));

    const follower = startPolling(table, (keys, event) => {
      told.push(keys);
      const [, , third] = JSON.parse(event).Records;
      const failed = told.length === 1 ? [{ itemIdentifier: third.dynamodb.SequenceNumber }] : [];
      return { ok: true, payload: JSON.stringify({ batchItemFailures: failed }) };
    });
    await follower.whenCaughtUp();

    expect(told).toEqual([letters(4), letters(4).slice(2)]);
  });

  test('tells a batch that crashed again in halves', async () => {
    const table = await newTable();
    const told: string[][] = [];
    await put(table, ...letters(4));

    const follower = startPolling(table, (keys) => {
      told.push(keys);
      return told.length === 1
        ? { ok: false, error: { errorType: 'Error', errorMessage: '', trace: [] } }
        : DONE;
    });
    await follower.whenCaughtUp();

    expect(told).toEqual([letters(4), letters(2), letters(4).slice(2)]);
  });

  test('goes on behind what it has told, after a stop', async () => {
    const table = await newTable();
    const told: string[] = [];
    const tell = (keys: string[]) => {
      told.push(...keys);
      return DONE;
    };
    await put(table, 'one', 'two');
    const first = startPolling(table, tell);
    await first.whenCaughtUp();
    await first.stop();
    await put(table, 'three');

    await startPolling(table, tell).whenCaughtUp();

    expect(told).toEqual(['one', 'two', 'three']);
  });

  test('forgets what it told of a table that another one has replaced', async () => {
    const [before, after] = [await newTable(), await newTable()];
    const file = join(data.path, 'streams', 'replaced.json');
    const told: string[] = [];
    const tell = (keys: string[]) => {
      told.push(...keys);
      return DONE;
    };
    await put(before, 'one', 'two');
    await put(after, 'three');
    const first = startPolling(before, tell, { file });
    await first.whenCaughtUp();
    await first.stop();

    await startPolling(after, tell, { file }).whenCaughtUp();

    expect(told).toEqual(['one', 'two', 'three']);
  });

  test('passes over what the filter leaves out', async () => {
    const table = await newTable();
    const told: string[] = [];
    await put(table, 'one', 'two', 'one');

    const follower = startPolling(
      table,
      (keys) => {
        told.push(...keys);
        return DONE;
      },
      { patterns: [{ eventName: ['INSERT'] }] },
    );
    await follower.whenCaughtUp();

    expect(told).toEqual(['one', 'two']);
  });
});

describe('a filter', () => {
  const change = { eventName: 'MODIFY', dynamodb: { NewImage: { due: { N: '1' } } } };

  test.each<[Pattern, boolean]>([
    [{}, true],
    [{ eventName: ['INSERT', 'MODIFY'] }, true],
    [{ eventName: ['INSERT'] }, false],
    [{ dynamodb: { NewImage: { due: { N: [{ exists: true }] } } } }, true],
    [{ dynamodb: { NewImage: { due: { N: [{ exists: false }] } } } }, false],
    [{ dynamodb: { NewImage: { other: { N: [{ exists: true }] } } } }, false],
    [{ dynamodb: { NewImage: { other: { N: [{ exists: false }] } } } }, true],
    [{ eventName: ['MODIFY'], dynamodb: { Keys: { pk: { S: ['x'] } } } }, false],
  ])('%j', (pattern, expected) => {
    expect(matchesPattern(change, pattern)).toBe(expected);
  });
});
