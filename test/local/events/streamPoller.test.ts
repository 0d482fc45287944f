import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { LOCAL_CREDENTIALS } from '../../../local/engines/awsCredentials.ts';
import { lockDataDirectory } from '../../../local/engines/dataDirectory.ts';
import { startDynamoDb } from '../../../local/engines/dynamodb/dynamodb.ts';
import { matchesPattern } from '../../../local/events/eventFilter.ts';
import { pollPauseMs, type StreamPoller, startStreamPoller } from '../../../local/events/streamPoller.ts';
import { streamReader } from '../../../local/events/streamReader.ts';
import type { InvocationResult } from '../../../local/lambda/sandbox.ts';
import type { Pattern } from '../../../local/template/streams.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const CLIENT = { region: 'us-east-1', credentials: LOCAL_CREDENTIALS };

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

const pollers: StreamPoller[] = [];
let tables = 0;

const data = lockDataDirectory(temporaryDirectory());
const engine = await startDynamoDb(data, () => {});
const client = new DynamoDBClient({ ...CLIENT, endpoint: engine.url });
afterEach(async () => {
  await Promise.all(pollers.splice(0).map((poller) => poller.stop()));
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
  deliver: (keys: string[], event: string) => InvocationResult | Promise<InvocationResult>,
  options: { patterns?: Pattern[]; file?: string } = {},
): StreamPoller {
  const poller = startStreamPoller({
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
    invoke: async (event) => deliver(DeliveredEvent.parse(event), event),
    log: () => {},
  });
  pollers.push(poller);
  return poller;
}

const keysOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `key ${index}`);

describe('startStreamPoller', () => {
  test('polls four times a second, and once a second after ten seconds without a change', () => {
    expect([0, 39, 40, 1_000].map(pollPauseMs)).toEqual([250, 250, 1_000, 1_000]);
  });

  test('delivers every change once and in order, as a Lambda stream event', async () => {
    const table = await newTable();
    const delivered: string[][] = [];
    const events: string[] = [];
    await put(table, ...keysOf(25));

    const poller = startPolling(table, (keys, event) => {
      delivered.push(keys);
      events.push(event);
      return DONE;
    });
    await poller.whenCaughtUp();
    await put(table, 'later');
    await poller.whenCaughtUp();

    expect(delivered.flat()).toEqual([...keysOf(25), 'later']);
    expect(Math.max(...delivered.map(({ length }) => length))).toBeLessThanOrEqual(10);
    expect(JSON.parse(events[0] ?? '').Records[0]).toMatchObject({
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      eventSourceARN: expect.stringContaining(`table/${table}/stream/`),
      awsRegion: 'us-east-1',
      dynamodb: { NewImage: { pk: { S: 'key 0' } }, SequenceNumber: expect.stringMatching(/^\d+$/) },
    });
  });

  test('retries from the first failed change', async () => {
    const table = await newTable();
    const delivered: string[][] = [];
    await put(table, ...keysOf(4));

    const poller = startPolling(table, (keys, event) => {
      delivered.push(keys);
      const [, , third] = JSON.parse(event).Records;
      const failed = delivered.length === 1 ? [{ itemIdentifier: third.dynamodb.SequenceNumber }] : [];
      return { ok: true, payload: JSON.stringify({ batchItemFailures: failed }) };
    });
    await poller.whenCaughtUp();

    expect(delivered).toEqual([keysOf(4), keysOf(4).slice(2)]);
  });

  test('retries a failed batch in halves', async () => {
    const table = await newTable();
    const delivered: string[][] = [];
    await put(table, ...keysOf(4));

    const poller = startPolling(table, (keys) => {
      delivered.push(keys);
      return delivered.length === 1
        ? { ok: false, error: { errorType: 'Error', errorMessage: '', trace: [] } }
        : DONE;
    });
    await poller.whenCaughtUp();

    expect(delivered).toEqual([keysOf(4), keysOf(2), keysOf(4).slice(2)]);
  });

  test('continues after the last delivered change when it is restarted', async () => {
    const table = await newTable();
    const delivered: string[] = [];
    const deliver = (keys: string[]) => {
      delivered.push(...keys);
      return DONE;
    };
    await put(table, 'one', 'two');
    const first = startPolling(table, deliver);
    await first.whenCaughtUp();
    await first.stop();
    await put(table, 'three');

    await startPolling(table, deliver).whenCaughtUp();

    expect(delivered).toEqual(['one', 'two', 'three']);
  });

  test('discards its position when the table is replaced', async () => {
    const [before, after] = [await newTable(), await newTable()];
    const file = join(data.path, 'streams', 'replaced.json');
    const delivered: string[] = [];
    const deliver = (keys: string[]) => {
      delivered.push(...keys);
      return DONE;
    };
    await put(before, 'one', 'two');
    await put(after, 'three');
    const first = startPolling(before, deliver, { file });
    await first.whenCaughtUp();
    await first.stop();

    await startPolling(after, deliver, { file }).whenCaughtUp();

    expect(delivered).toEqual(['one', 'two', 'three']);
  });

  test('stores its position at once after a delivery, and when it stops after changes that the filter excludes', async () => {
    const table = await newTable();
    const file = join(data.path, 'streams', 'excluded.json');
    const position = (): unknown => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);
    const positions: unknown[] = [];
    const deliver = () => {
      positions.push(position());
      return DONE;
    };
    const options = { patterns: [{ eventName: ['MODIFY'] }], file };
    await put(table, ...Array.from({ length: 20 }, () => 'one'));
    const poller = startPolling(table, deliver, options);
    await poller.whenCaughtUp();
    expect(positions[0]).toBeNull();
    expect(positions[1]).not.toBeNull();

    const delivered = position();
    await put(table, 'two', 'three');
    await poller.whenCaughtUp();
    await poller.stop();
    expect(position()).not.toEqual(delivered);
  });

  test('skips changes that the filter excludes', async () => {
    const table = await newTable();
    const delivered: string[] = [];
    await put(table, 'one', 'two', 'one');

    const poller = startPolling(
      table,
      (keys) => {
        delivered.push(...keys);
        return DONE;
      },
      { patterns: [{ eventName: ['INSERT'] }] },
    );
    await poller.whenCaughtUp();

    expect(delivered).toEqual(['one', 'two']);
  });
});

describe('matchesPattern', () => {
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
  ])('for the pattern %j, returns %s', (pattern, expected) => {
    expect(matchesPattern(change, pattern)).toBe(expected);
  });
});
