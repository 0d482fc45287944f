import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { afterEach, expect, it, vi } from 'vitest';
import { queueHandler } from '../../../functions/platform/queue/queueHandler.ts';
import { sqsRecord } from './sqsRecord.ts';

const message = (messageId: string, body = ''): SQSRecord => sqsRecord(messageId, { body });
const batch = (...ids: string[]): SQSEvent => ({ Records: ids.map((id) => message(id, `body of ${id}`)) });

const inQueue = { setAside: async () => false, returnSoon: async () => undefined };
/** Handles each message alone. */
const each = (handle: (record: SQSRecord) => Promise<void>) =>
  queueHandler({
    parse: (record) => record,
    handle: async ([record]) => {
      await handle(record);
      return [];
    },
    ...inQueue,
  });

const silence = () => vi.spyOn(process.stdout, 'write').mockReturnValue(true);

afterEach(() => {
  vi.restoreAllMocks();
});

it('reports exactly the messages whose processing threw', async () => {
  silence();
  const done: string[] = [];
  const handle = each(async ({ messageId }) => {
    if (messageId === 'sync' || messageId === 'late') throw new Error(messageId);
    done.push(messageId);
  });

  const response = await handle(batch('a', 'sync', 'b', 'late', 'c'));

  expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'sync' }, { itemIdentifier: 'late' }] });
  expect(done).toEqual(['a', 'b', 'c']);
});

it('waits for all messages, also after one failed', async () => {
  silence();
  let finished = false;
  const handle = each(async ({ messageId }) => {
    if (messageId === 'bad') throw new Error('at once');
    await new Promise((resolve) => setImmediate(resolve));
    finished = true;
  });

  await handle(batch('bad', 'slow'));

  expect(finished).toBe(true);
});

it('reports a message whose handler throws synchronously', async () => {
  silence();
  const handle = each(() => {
    throw new TypeError('not even a promise');
  });

  const response = await handle(batch('a'));

  expect(response.batchItemFailures).toEqual([{ itemIdentifier: 'a' }]);
});

it('acknowledges a batch in which nothing failed', async () => {
  const handle = each(async () => undefined);

  expect(await handle(batch('a', 'b'))).toEqual({ batchItemFailures: [] });
});

it('logs the failure without the message content', async () => {
  const written = silence();
  const handle = each(async ({ body }) => {
    throw new Error(body);
  });

  await handle(batch('secret'));

  const lines = written.mock.calls.map(([line]) => String(line));
  expect(lines).toHaveLength(1);
  expect(lines.join()).toContain('message will be retried');
  expect(lines.join()).not.toContain('body of secret');
});

it('handles the messages of a group together, and reports all of them when the group fails', async () => {
  silence();
  const done: string[][] = [];
  const handler = queueHandler({
    parse: ({ messageId }) => messageId,
    keyOf: (id) => id.charAt(0),
    handle: async (ids) => {
      if (ids.includes('b bad')) throw new Error('no');
      done.push([...ids]);
      return [];
    },
    ...inQueue,
  });

  const answer = await handler(batch('a1', 'b1', 'a2', 'b bad'));

  expect(done).toEqual([['a1', 'a2']]);
  expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['b1', 'b bad']);
});

it('reports an unreadable message alone, and handles the other messages of the batch', async () => {
  silence();
  const done: string[] = [];
  const parse = vi.fn(({ body, messageId }: SQSRecord): string => {
    if (messageId === 'unreadable') throw new SyntaxError(body);
    return body;
  });
  const handler = queueHandler({
    parse,
    keyOf: () => 'one group',
    handle: async (messages) => {
      done.push(...messages);
      return [];
    },
    ...inQueue,
  });

  const answer = await handler(batch('a', 'unreadable', 'b'));

  expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'unreadable' }]);
  expect(done).toEqual(['body of a', 'body of b']);
  expect(parse).toHaveBeenCalledTimes(3);
});

it('keeps a message that came too early in the queue, unless it was received for the first time and can be sent again', async () => {
  const waits: (readonly [readonly string[], number | undefined])[] = [];
  const sent: unknown[] = [];
  const early = (sendAgain?: (messages: readonly unknown[]) => Promise<void>) =>
    queueHandler({
      parse: ({ messageId }) => messageId,
      keyOf: (id) => id.charAt(0),
      handle: async (ids) =>
        ids
          .filter((id) => id.startsWith('e'))
          .map((message) => ({ message, wait: 7_000, ...(message === 'e4' && { replacement: 'e5' }) })),
      ...(sendAgain && { sendAgain }),
      ...inQueue,
      returnSoon: async (records, wait) => {
        waits.push([records.map(({ messageId }) => messageId), wait]);
      },
    });
  const event = { Records: [message('due'), message('e1'), message('e4'), sqsRecord('e2', { receives: 2 })] };

  const copying = await early(async (messages) => {
    sent.push(...messages);
  })(event);
  const keeping = await early()({ Records: [message('e3')] });

  expect(sent).toEqual([
    { message: 'e1', wait: 7_000 },
    { message: 'e5', wait: 7_000 },
  ]);
  expect(copying.batchItemFailures).toEqual([{ itemIdentifier: 'e2' }]);
  expect(keeping.batchItemFailures).toEqual([{ itemIdentifier: 'e3' }]);
  expect(waits).toEqual([
    [['e2'], 7_000],
    [['e3'], 7_000],
  ]);
});

const MINUTE_MS = 60_000;
it.each([
  ['minutes old stays in the queue', 59, 'read', ['m']],
  ['an hour old is set aside', 61, 'read', []],
  ['a moment old is set aside if it cannot be read', 0, 'unreadable', []],
])(
  'a failed message that may have waited in the queue and is %s, whatever its count of receives',
  async (_, minutes, body, expected) => {
    silence();
    const record = sqsRecord('m', {
      body,
      receives: 50,
      firstReceivedAt: Date.now() - minutes * MINUTE_MS,
    });

    const answer = await queueHandler({
      parse: (received) => {
        if (received.body === 'unreadable') throw new SyntaxError('no JSON');
        return received.messageId;
      },
      handle: async () => {
        throw new Error('a fault');
      },
      sendAgain: async () => undefined,
      ...inQueue,
      setAside: async () => true,
    })({ Records: [record] });

    expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(expected);
  },
);
