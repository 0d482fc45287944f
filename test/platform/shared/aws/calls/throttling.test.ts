import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { GetItemCommand, PutItemCommand, type TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { batchGet } from '../../../../../functions/platform/shared/aws/batches/batchGet.store.ts';
import type { AwsAnswer, AwsRequest } from '../../../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { throttlePauseMs } from '../../../../../functions/platform/shared/aws/calls/throttling.ts';
import { commitOrConflict } from '../../../../../functions/platform/shared/aws/commitOrConflict.ts';
import { commit, putDocument } from '../../../../../functions/platform/shared/aws/document.store.ts';
import { dynamodb } from '../../../../../functions/platform/shared/aws/dynamodb.client.ts';
import { toProblem } from '../../../../../functions/platform/shared/problem.ts';
import { withinInvocation } from '../../../../../functions/platform/shared/time/invocationTime.ts';
import { startTables } from '../../../../support/tables.ts';

const TABLE = 'access';
const live = await startTables();
afterAll(() => live.stop());

const answerOf = (type: string, more: object = {}): AwsAnswer => ({
  statusCode: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, ...more })),
});
const throttled = answerOf('ThrottlingException', { message: 'Throughput exceeds the current capacity.' });
const cancelled = (...codes: string[]): AwsAnswer =>
  answerOf('TransactionCanceledException', {
    message: 'Transaction cancelled',
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

let stopAnswering = (): void => undefined;
afterEach(() => stopAnswering());

/** Answers the attempts of an operation instead of the table, in order. Returns the number of attempts so far. */
const answerAttempts = (operation: string, answers: readonly AwsAnswer[]): (() => number) => {
  let attempts = 0;
  const listen = (message: unknown): void => {
    const request = message as AwsRequest;
    if (request.operation !== operation) return;
    request.answer = () => {
      attempts += 1;
      return answers[attempts - 1];
    };
  };
  subscribe('aws.request', listen);
  stopAnswering = () => unsubscribe('aws.request', listen);
  return () => attempts;
};

let rows = 0;
const newKey = () => {
  rows += 1;
  return { pk: `throttled ${rows}`, sk: 'row' };
};
const put = (key = newKey()) => putDocument(TABLE, key, { text: 'x' });
const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

describe('a table write', () => {
  it.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'])(
    'is repeated after %s, more often than the SDK does',
    async (type) => {
      const attempts = answerAttempts('PutItem', times(4, answerOf(type)));

      await dynamodb.send(
        new PutItemCommand({ TableName: TABLE, Item: { pk: { S: type }, sk: { S: 'row' } } }),
      );

      expect(attempts()).toBe(5);
    },
  );

  it('is repeated three times only after a server error', async () => {
    const attempts = answerAttempts(
      'PutItem',
      times(9, { ...throttled, statusCode: 500, body: Buffer.from('{}') }),
    );

    const writing = dynamodb.send(
      new PutItemCommand({ TableName: TABLE, Item: { pk: { S: 'error' }, sk: { S: 'row' } } }),
    );

    await expect(writing).rejects.toThrow();
    expect(attempts()).toBe(3);
  });
});

describe('commit', () => {
  it.each(['ThrottlingError', 'ProvisionedThroughputExceeded', 'RequestLimitExceeded'])(
    'repeats a transaction that was cancelled with %s',
    async (code) => {
      const attempts = answerAttempts('TransactWriteItems', times(3, cancelled('None', code)));

      expect(await commit([put(), put()])).toBe(true);
      expect(attempts()).toBe(4);
    },
  );

  it('repeats a throttled transaction more often than a conflict', async () => {
    // Five long pauses could exceed the time of the commit.
    vi.spyOn(Math, 'random').mockReturnValue(0.1);
    onTestFinished(() => void vi.restoreAllMocks());
    const attempts = answerAttempts('TransactWriteItems', [
      ...times(3, cancelled('ThrottlingError')),
      ...times(2, cancelled('TransactionConflict')),
    ]);

    expect(await commit([put()], { within: 15_000 })).toBe(true);
    expect(attempts()).toBe(6);
  });

  it('returns false for a failed condition beside a throttle', async () => {
    answerAttempts('TransactWriteItems', [cancelled('ConditionalCheckFailed', 'ThrottlingError')]);

    expect(await commit([put(), put()])).toBe(false);
  });

  it('throws ThrottledError when the table stays throttled, and no other error', async () => {
    answerAttempts('TransactWriteItems', times(1_000, cancelled('ThrottlingError')));

    const error = await commit([put()], { within: 200 }).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ name: 'ThrottledError' });
    // A caller of the API may repeat its request.
    expect(toProblem(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('throws without a retry when an item collection is full', async () => {
    const attempts = answerAttempts(
      'TransactWriteItems',
      times(9, cancelled('ItemCollectionSizeLimitExceeded')),
    );

    await expect(commit([put()])).rejects.toThrow(
      expect.objectContaining<Partial<TransactionCanceledException>>({
        name: 'TransactionCanceledException',
      }),
    );
    expect(attempts()).toBe(1);
  });
});

describe('commitOrConflict', () => {
  it('returns false after repeated conflicts with other writers', async () => {
    answerAttempts('TransactWriteItems', times(9, cancelled('TransactionConflict')));

    expect(await commitOrConflict([put()])).toBe(false);
  });

  it.each(['ThrottlingError', 'ItemCollectionSizeLimitExceeded', 'ValidationError'])(
    'does not take %s for a lost race',
    async (code) => {
      answerAttempts('TransactWriteItems', times(1_000, cancelled(code)));

      await expect(commitOrConflict([put()], { within: 200 })).rejects.toThrow();
    },
  );
});

describe('batchGet', () => {
  it('reads keys again that a throttled table left out', async () => {
    const keys = times(3, 0).map(newKey);
    await commit(keys.map((key) => put(key)));
    const unprocessed = keys.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
    const listen = (message: unknown): void => {
      const request = message as AwsRequest;
      if (request.operation !== 'BatchGetItem') return;
      let attempt = 0;
      request.answer = () => {
        attempt += 1;
        if (attempt > 1) return undefined;
        const body = { Responses: {}, UnprocessedKeys: { [TABLE]: { Keys: unprocessed } } };
        unsubscribe('aws.request', listen);
        return { ...throttled, statusCode: 200, body: Buffer.from(JSON.stringify(body)) };
      };
    };
    subscribe('aws.request', listen);

    expect(await batchGet(TABLE, unprocessed, { isConsistent: true })).toHaveLength(3);
  });
});

describe('at the end of an invocation', () => {
  it('a throttled call fails in time to report it', async () => {
    answerAttempts('GetItem', times(1_000, throttled));

    const reading = withinInvocation({ getRemainingTimeInMillis: () => 2_100 }, () =>
      dynamodb.send(new GetItemCommand({ TableName: TABLE, Key: { pk: { S: 'x' }, sk: { S: 'y' } } })),
    );

    await expect(reading).rejects.toMatchObject({ name: 'ThrottlingException' });
  });
});

describe('throttlePauseMs', () => {
  it('is uniform up to a cap that doubles from 50 ms to one second', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, u) => {
          const cap = Math.min(1_000, 50 * 2 ** (attempt - 1));
          expect(throttlePauseMs(attempt, () => u)).toBeCloseTo(u * cap, 6);
        },
      ),
    );
  });
});

it('a read is repeated after a throttle', async () => {
  const attempts = answerAttempts('GetItem', times(3, throttled));

  await dynamodb.send(new GetItemCommand({ TableName: TABLE, Key: { pk: { S: 'x' }, sk: { S: 'y' } } }));

  expect(attempts()).toBe(4);
});
