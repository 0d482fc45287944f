import type { SQSRecord } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failedMessages } from '../../../functions/platform/queue/failedMessages.aws.ts';
import { UnreadableMessage } from '../../../functions/platform/queue/failure.ts';
import { queueHandler } from '../../../functions/platform/queue/queueHandler.ts';
import { isThrottle } from '../../../functions/platform/shared/aws/calls/throttling.ts';
import { sqs } from '../../../functions/platform/shared/aws/sqs.client.ts';
import { ThrottledError } from '../../../functions/platform/shared/retry/throttledError.ts';
import { queueNames, queues } from '../../../schemas/platform/queues.ts';
import { retryDelaySeconds } from '../../../schemas/platform/retryDelay.ts';
import { sqsRecord } from './sqsRecord.ts';

const named = (name: string): Error => Object.assign(new Error('no capacity'), { name });
const throttles: readonly [string, Error][] = [
  ['a throttled table', named('ProvisionedThroughputExceededException')],
  ['a throttled API', named('ThrottlingException')],
  ['a commit that gave up', new ThrottledError('no capacity')],
  ['a caller that gave up on a throttled call', new Error('no', { cause: named('ThrottlingException') })],
  [
    'a throttled transaction',
    Object.assign(named('TransactionCanceledException'), {
      CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }],
    }),
  ],
];

afterEach(() => {
  vi.restoreAllMocks();
});

/** Handles one message, and returns where it went and what was logged. */
const handling = async (
  record: SQSRecord,
  handle: () => Promise<void>,
  { parse = () => 'message', remainingMs = 30_000 }: { parse?: () => string; remainingMs?: number } = {},
) => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const aside: unknown[] = [];
  vi.spyOn(sqs, 'send').mockImplementation(async ({ input }: { readonly input: unknown }) => {
    aside.push(input);
  });
  const returned: string[] = [];
  const answer = await queueHandler({
    parse,
    handle: async () => {
      await handle();
      return [];
    },
    ...failedMessages([], 'https://sqs.example/1/dead'),
    returnSoon: async (records) => {
      returned.push(...records.map(({ messageId }) => messageId));
    },
  })({ Records: [record] }, { getRemainingTimeInMillis: () => remainingMs });
  const reported = answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  const lines = written.mock.calls.map(([line]): Record<string, unknown> => JSON.parse(String(line)));
  return { aside, returned, reported, lines };
};
const failWith = (error: Error) => async () => {
  throw error;
};

describe('a failed message', () => {
  it.each(throttles)('returns to the queue at receive 99 after %s', async (_, error) => {
    const { aside, returned, reported } = await handling(sqsRecord('m', { receives: 99 }), failWith(error));

    expect([aside, returned, reported]).toEqual([[], ['m'], ['m']]);
  });

  it.each([
    [9, ['m']],
    [10, []],
  ])('that fails for another reason stays in the queue at receive %d: %j', async (receives, expected) => {
    const record = sqsRecord('m', { receives, body: 'the body' });

    const { aside, returned, reported } = await handling(record, failWith(new Error('a fault')));

    expect([returned, reported]).toEqual([expected, expected]);
    const dead = { QueueUrl: 'https://sqs.example/1/dead', MessageBody: 'the body' };
    expect(aside).toEqual(expected.length === 0 ? [dead] : []);
  });

  it('is set aside at its first receive when it cannot be read', async () => {
    const parse = () => {
      throw new SyntaxError('no JSON');
    };

    const { aside, reported } = await handling(sqsRecord('m'), async () => undefined, { parse });

    expect([aside.length, reported]).toEqual([1, []]);
  });

  it('returns when the dead-letter queue does not answer', async () => {
    const record = sqsRecord('m', { receives: 10 });
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    vi.spyOn(sqs, 'send').mockRejectedValue(new Error('no answer') as never);

    const answer = await queueHandler({
      parse: () => 'message',
      handle: failWith(new Error('a fault')),
      ...failedMessages([], 'https://sqs.example/1/dead'),
    })({ Records: [record] });

    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'm' }]);
  });

  it('returns before the time of the function ends when it is not finished', async () => {
    const unfinished = new Promise<void>(() => undefined);

    const { returned, lines } = await handling(sqsRecord('m'), () => unfinished, { remainingMs: 3_000 });

    expect(returned).toEqual(['m']);
    expect(lines[0]).toMatchObject({ message: 'message will be retried', error_name: 'OutOfTime' });
  });

  it('is logged with its queue, its age, its receives and the reason', async () => {
    const record = sqsRecord('m', { queue: 'deliveries', receives: 4 });
    record.attributes.SentTimestamp = String(Date.now() - 125_000);

    const { lines } = await handling(record, failWith(new ThrottledError('no capacity')));

    expect(lines).toMatchObject([
      {
        level: 'error',
        message: 'message will be retried',
        queue: 'deliveries',
        receives: 4,
        reason: 'throttled',
      },
    ]);
    expect(lines[0]?.['age_seconds']).toBeGreaterThanOrEqual(125);
  });
});

it('no queue gives up a message within a quarter of an hour, nor an unthrottled one', () => {
  const secondsUntil = (receives: number): number =>
    Array.from({ length: receives - 1 }, (_, index) => retryDelaySeconds(index + 1)).reduce(
      (a, b) => a + b,
      0,
    );

  expect(secondsUntil(10)).toBeGreaterThan(15 * 60);
  for (const name of queueNames) expect(queues[name].maxReceiveCount).toBe(100);
});

it.each([new Error('a fault'), new UnreadableMessage('unreadable'), 'a text', undefined])(
  'an error without a throttle is none: %s',
  (error) => {
    expect(isThrottle(error)).toBe(false);
  },
);
