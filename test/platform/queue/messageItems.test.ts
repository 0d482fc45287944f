import type { SQSRecord } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { messageItems } from '../../../functions/platform/queue/messageItems.ts';
import { queueHandler } from '../../../functions/platform/queue/queueHandler.ts';
import { retryDelaySeconds } from '../../../schemas/platform/retryDelay.ts';
import { sqsRecord } from './sqsRecord.ts';

const message = (messageId: string, items: readonly string[]): SQSRecord =>
  sqsRecord(messageId, { body: JSON.stringify(items) });

let attempts: string[];
let finished: string[];
let returned: string[];
let inProgress: number;
let mostInProgress: number;
let hasTime: () => boolean;
let completes: () => Promise<void>;
/** The failures of each item that are still to come. */
let failures: Map<string, number>;

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  [attempts, finished, returned] = [[], [], []];
  [inProgress, mostInProgress] = [0, 0];
  hasTime = () => true;
  completes = async () => undefined;
  failures = new Map();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const handle = (...messages: SQSRecord[]) =>
  queueHandler({
    ...messageItems<string, string>({
      unpack: async ({ messageId, body }) => {
        if (body === 'unreadable') throw new Error('unreadable');
        return {
          items: JSON.parse(body),
          finish: (results) => finished.push(`${messageId}: ${results.join()}`),
        };
      },
      process: async (item, attempt) => {
        attempts.push(`${item}${attempt}`);
        inProgress += 1;
        mostInProgress = Math.max(mostInProgress, inProgress);
        await new Promise((done) => setImmediate(done));
        inProgress -= 1;
        const left = failures.get(item) ?? 0;
        failures.set(item, left - 1);
        if (left > 0) throw new Error(item);
        return item.toUpperCase();
      },
      complete: () => completes(),
      concurrency: 4,
      pause: async () => undefined,
      hasTime: () => hasTime(),
    }),
    setAside: async ({ messageId }) => {
      if (messageId === 'unlucky') throw new Error('no queue');
      return messageId === 'last';
    },
    returnSoon: async (records) => {
      returned.push(...records.map(({ messageId }) => messageId));
    },
  })({ Records: messages });

describe('a message of items', () => {
  it('waits for no longer message that was received with it', async () => {
    const long = ['a', 'b', 'c', 'd', 'e', 'f'];
    await handle(message('long', long), message('two', ['x', 'y']), message('one', ['z']));

    expect(attempts).toEqual(['z', 'x', 'y', ...long].map((item) => `${item}1`));
    expect(finished.toSorted()).toEqual(['long: A,B,C,D,E,F', 'one: Z', 'two: X,Y']);
  });

  it('keeps the order of messages of the same length', async () => {
    await handle(message('one', ['a', 'b']), message('two', ['c', 'd']), message('three', ['e', 'f']));

    expect(attempts).toEqual(['a1', 'b1', 'c1', 'd1', 'e1', 'f1']);
  });

  it('acknowledges messages whose items all succeeded, with their results in order', async () => {
    const response = await handle(message('one', ['a', 'b']), message('two', ['c']));

    expect(response).toEqual({ batchItemFailures: [] });
    expect(finished).toEqual(['one: A,B', 'two: C']);
    expect(returned).toEqual([]);
  });

  it('limits the items in progress over all messages of an invocation', async () => {
    const items = Array.from({ length: 10 }, (_, index) => String(index));

    await handle(...['one', 'two', 'three'].map((name) => message(name, items)));

    expect(mostInProgress).toBe(4);
  });

  it('retries a failed item once in the same invocation', async () => {
    failures.set('b', 1);

    const response = await handle(message('one', ['a', 'b']));

    expect(response).toEqual({ batchItemFailures: [] });
    expect(attempts).toEqual(['a1', 'b1', 'b2']);
  });

  it('processes the other items of a message in which one fails, and returns only that message', async () => {
    failures.set('b', 2);

    const response = await handle(message('one', ['a', 'b', 'c', 'd', 'e', 'f']), message('two', ['g']));

    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'one' }] });
    expect(attempts.filter((entry) => entry.endsWith('1'))).toHaveLength(7);
    expect(finished).toEqual(['two: G']);
    expect(returned).toEqual(['one']);
  });

  it('acknowledges a failed message that was dead-lettered, and returns one that could not be', async () => {
    for (const item of ['a', 'b', 'c']) failures.set(item, 2);

    const response = await handle(message('last', ['a']), message('unlucky', ['b']), message('other', ['c']));

    expect(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual([
      'unlucky',
      'other',
    ]);
    expect(returned).toEqual(['unlucky', 'other']);
    expect(finished).toEqual([]);
  });

  it('starts no item when the time of the function is nearly over, and returns its message', async () => {
    const items = ['a', 'b', 'c', 'd'];
    hasTime = () => attempts.length < items.length;

    const response = await handle(message('one', items), message('late', ['e', 'f', 'g', 'h']));

    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'late' }] });
    expect(finished).toEqual(['one: A,B,C,D']);
  });

  it('returns only a message that cannot be read', async () => {
    const response = await handle({ ...message('bad', []), body: 'unreadable' }, message('one', ['a']));

    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'bad' }] });
  });

  it('acknowledges no message when the step before the acknowledgement fails', async () => {
    completes = async () => {
      throw new Error('the queue does not respond');
    };

    const response = await handle(message('one', ['a']), message('two', ['b']));

    expect(response.batchItemFailures).toHaveLength(2);
    expect(finished).toEqual([]);
  });
});

it('returns a failed message after seconds, later each time, and at most after 15 minutes', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 20].map(retryDelaySeconds)).toEqual([5, 15, 45, 135, 405, 900, 900, 900]);
});

describe('messages of several tenants', () => {
  const STEPS = 5;

  /** Handles messages by tenant, and returns the names of the tenants in the order of the steps of their items. */
  const stepsOf = async (
    sent: readonly { readonly group: string; readonly items: number }[],
    { holds, pause }: { readonly holds?: string; readonly pause?: () => Promise<void> } = {},
  ): Promise<string[]> => {
    const steps: string[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    const { handle: run } = messageItems<string, string>({
      unpack: async ({ body, attributes }) => ({
        items: Array(Number(body)).fill(attributes.MessageGroupId),
        finish: () => undefined,
      }),
      process: async (group) => {
        if (group === holds) await held;
        for (let step = 0; step < STEPS; step += 1) {
          await new Promise((done) => setImmediate(done));
          steps.push(group);
          if (group !== holds && steps.length >= STEPS) release();
        }
        return group;
      },
      complete: async () => undefined,
      concurrency: 64,
      pause: pause ?? (() => new Promise(() => undefined)),
      hasTime: () => true,
    });
    const [first, ...others] = sent.map(({ group, items }, index) =>
      sqsRecord(String(index), { body: String(items), group }),
    );
    if (first !== undefined) await run([first, ...others]);
    return steps;
  };

  it.each([
    ['one long message', [{ group: 'noisy', items: 64 }]],
    ['many short ones', Array(60).fill({ group: 'noisy', items: 1 })],
    ['many long ones', Array(9).fill({ group: 'noisy', items: 64 })],
  ])('lets no step of a noisy one go before the event of a quiet one, beside %s', async (_, noise) => {
    const steps = await stepsOf([...noise, { group: 'quiet', items: 1 }]);

    expect(steps.slice(0, STEPS)).toEqual(Array(STEPS).fill('quiet'));
    expect(steps).toHaveLength(STEPS * (1 + noise.reduce((sum, { items }) => sum + items, 0)));
  });

  it('lets the others begin when the event of a quiet one does not end', async () => {
    const steps = await stepsOf(
      [
        { group: 'noisy', items: 64 },
        { group: 'stuck', items: 1 },
      ],
      { holds: 'stuck', pause: async () => undefined },
    );

    expect(steps.slice(0, STEPS)).not.toContain('stuck');
    expect(steps).toHaveLength(STEPS * 65);
  });
});
