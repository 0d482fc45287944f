import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, expect, it } from 'vitest';
import { batchedInsert } from '../../../../../functions/platform/shared/aws/batches/batchInsert.store.ts';
import type { AwsRequest } from '../../../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { okAnswer } from '../../../../../local/limits/tableErrors.ts';
import { startTables } from '../../../../support/tables.ts';

const live = await startTables();
afterAll(() => live.stop());

const itemOf = (pk: string, sk: number | string, document = String(sk)) => ({
  pk: { S: pk },
  sk: { S: String(sk).padStart(2, '0') },
  document: { S: JSON.stringify(document) },
});
const newInsert = (table = 'traces') => batchedInsert(table, ({ pk, sk }) => `${pk?.S} ${sk?.S}`);

it('inserts the items of one moment with a call for each 25', async () => {
  const pk = randomUUID();
  const insert = newInsert();
  let calls = 0;
  const count = () => {
    calls += 1;
  };
  subscribe('aws.call', count);

  const inserted = await Promise.all(Array.from({ length: 60 }, (_, index) => insert(itemOf(pk, index))));
  unsubscribe('aws.call', count);

  expect(calls).toBe(3);
  expect(inserted).toEqual(Array.from({ length: 60 }, () => true));
  expect(await live.documents('traces', pk)).toEqual(Array.from({ length: 60 }, (_, index) => `${index}`));
});

it('leaves an existing item as it is, and inserts the others of its call', async () => {
  const pk = randomUUID();
  const insert = newInsert();
  await insert(itemOf(pk, 1, 'first'));

  expect(await Promise.all([insert(itemOf(pk, 1, 'second')), insert(itemOf(pk, 2, 'other'))])).toEqual([
    false,
    true,
  ]);
  expect(await live.documents('traces', pk)).toEqual(['first', 'other']);
});

it('inserts one of several items with the same key', async () => {
  const pk = randomUUID();
  const insert = newInsert();

  const inserted = await Promise.all(['a', 'b', 'c'].map((document) => insert(itemOf(pk, 1, document))));

  expect(inserted.filter(Boolean)).toHaveLength(1);
  expect(await live.documents('traces', pk)).toHaveLength(1);
});

it('claims no item of a call that fails', async () => {
  const insert = newInsert('missing');

  expect(await Promise.all([insert(itemOf('x', 1)), insert(itemOf('x', 2))])).toEqual([false, false]);
});

it('claims no item that was throttled within its call', async () => {
  const throttleAll = (message: unknown) => {
    const request = message as AwsRequest;
    if (request.operation !== 'BatchExecuteStatement') return;
    request.answer = () => okAnswer({ Responses: [{ Error: { Code: 'ThrottlingError' } }] });
  };
  subscribe('aws.request', throttleAll);
  const inserted = await newInsert()(itemOf(randomUUID(), 1));
  unsubscribe('aws.request', throttleAll);

  expect(inserted).toBe(false);
});
