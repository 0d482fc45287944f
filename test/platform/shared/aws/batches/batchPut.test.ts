import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { batchedPut } from '../../../../../functions/platform/shared/aws/batches/batchPut.store.ts';
import type { AwsRequest } from '../../../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { startTables } from '../../../../support/tables.ts';

const live = await startTables();
afterAll(() => live.stop());

const itemOf = (pk: string, sk: string, document: string) => ({
  pk: { S: pk },
  sk: { S: sk },
  document: { S: JSON.stringify(document) },
});
const newPut = () => batchedPut('traces', ({ pk, sk }) => `${pk?.S} ${sk?.S}`);

it('writes the puts of one moment with a call for each 25 items', async () => {
  const pk = randomUUID();
  let calls = 0;
  const count = () => {
    calls += 1;
  };
  subscribe('aws.call', count);
  const put = newPut();

  await Promise.all(
    Array.from({ length: 60 }, (_, index) => put(itemOf(pk, String(index).padStart(2, '0'), `${index}`))),
  );
  unsubscribe('aws.call', count);

  expect(calls).toBe(3);
  expect(await live.documents('traces', pk)).toEqual(Array.from({ length: 60 }, (_, index) => `${index}`));
});

it('writes the same item twice in two calls', async () => {
  const pk = randomUUID();
  const put = newPut();

  await Promise.all([
    put(itemOf(pk, '1', 'same')),
    put(itemOf(pk, '1', 'same')),
    put(itemOf(pk, '2', 'other')),
  ]);

  expect(await live.documents('traces', pk)).toEqual(['same', 'other']);
});

it('rejects every put of a call that fails', async () => {
  const put = batchedPut('missing', ({ sk }) => `${sk?.S}`);

  const outcomes = await Promise.allSettled([put(itemOf('x', '1', 'a')), put(itemOf('x', '2', 'b'))]);

  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

/** Leaves out all but one item of each call that writes several. */
const acceptOne = () => {
  const listen = (message: unknown): void => {
    const request = message as AwsRequest;
    if (request.operation !== 'BatchWriteItem') return;
    const { RequestItems } = request.input as { RequestItems: Record<string, unknown[]> };
    const [[table = '', requests = []] = []] = Object.entries(RequestItems);
    request.input = { RequestItems: { [table]: requests.slice(0, 1) } };
    request.finish = (output) => {
      if (output !== undefined && requests.length > 1)
        Object.assign(output, { UnprocessedItems: { [table]: requests.slice(1) } });
    };
  };
  subscribe('aws.request', listen);
  onTestFinished(() => {
    unsubscribe('aws.request', listen);
  });
};

it('writes again what a throttled table left out', async () => {
  const pk = randomUUID();
  const put = newPut();
  acceptOne();

  await Promise.all(['1', '2', '3', '4'].map((sk) => put(itemOf(pk, sk, sk))));

  expect(await live.documents('traces', pk)).toEqual(['1', '2', '3', '4']);
});
