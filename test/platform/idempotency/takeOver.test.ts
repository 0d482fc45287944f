import { afterAll, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { type Reply, reply } from '../../../functions/platform/http/reply.ts';
import { responseStore } from '../../../functions/platform/idempotency/response.store.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { ProblemError } from '../../../functions/platform/shared/problem.ts';
import { type Claim, effectOnce } from '../../../functions/platform/shared/retry/optimisticUpdate.ts';
import { startTables } from '../../support/tables.ts';
import { caller, NOW, serve, storedResponsesIn, type TestResponse, testRoute } from '../http/harness.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** The remaining time of a function in the harness, and the margin of its lease. */
const LEASE = 10_000 + 2_000;

const route = testRoute({
  method: 'POST',
  rate: 'write',
  operation: 'makeThing',
  replies: { 201: { description: 'With a secret', secret: 'secret' } },
});
const tenant = { ...caller.tenant, residency: ['eu', 'us'] };
const Thing = z.object({ id: z.string() });
/** Creates a thing with a secret, which differs in each run. */
const make = async (claim: Claim): Promise<Reply> => {
  const decide = async () => ({ writes: [], result: { id: `${runs.length}` }, secret: `s${runs.length}` });
  const { result, secret } = await effectOnce(claim, Thing, decide);
  return reply(201, { ...result, secret });
};
/** The process crashes after the effect. */
const makeAndCrash = async (claim: Claim): Promise<Reply> => {
  await make(claim);
  throw new Error('crashed');
};
const store = responseStore('idempotency');

let now: number;
let key = 0;
/** Attempt and arrival time of each run of the operation. */
let runs: (readonly [attempt: number | undefined, receivedAt: number])[];

const live = await startTables();
afterAll(() => live.stop());
beforeEach(() => {
  now = NOW;
  key += 1;
  runs = [];
});

const call = (
  run: (claim: Claim) => Promise<Reply> | Reply = () => reply(201, { run: runs.length }),
  { principal = 'key_1', residency = null as string | null } = {},
) =>
  serve(
    route,
    ({ claim, receivedAt }) => {
      if (claim === undefined) throw new Error('the call has a claim');
      runs.push([claim.attempt, receivedAt]);
      return run(claim);
    },
    { headers: { 'x-api-key': 'ask_good', 'idempotency-key': `call-${key}` } },
    {
      clock: () => now,
      responses: storedResponsesIn(store),
      authenticator: async () => ({ ...caller, tenant, principal, residency }),
    },
  );
const outcomeOf = ({ status, text, headers }: TestResponse) => [
  status,
  text,
  headers['idempotency-replayed'] === 'true',
];

// Costs less than a second beside the start of the table engine.
it('takes over an expired lease in the table, and stores nothing of the attempt that it replaced', async () => {
  let wake: (reply: Reply) => void = () => undefined;
  const slow = call(() => new Promise((settle) => (wake = settle)));
  await expect.poll(() => runs.length).toBe(1);
  now += LEASE;

  const second = await call();
  wake(reply(201, { late: true }));

  expect((await slow).status).toBe(503);
  expect([second, await call()].map(outcomeOf)).toEqual([
    [201, '{"run":2}', false],
    [201, '{"run":2}', true],
  ]);
  expect(runs).toEqual([
    [1, NOW],
    [2, NOW],
  ]);
});

it('gives an expired lease to one of ten concurrent retries, and its response to all', async () => {
  await call(() => Promise.reject(new Error('failed')));

  const answers = await Promise.all(Array.from({ length: 10 }, () => call()));

  expect(answers.map(({ text }) => text)).toEqual(Array(10).fill('{"run":2}'));
  expect(runs).toEqual([
    [1, NOW],
    [2, NOW],
  ]);
});

it('replays the response in the table until exactly 24 hours after the first arrival', async () => {
  await call(() => Promise.reject(new Error('failed')));
  now += DAY / 2;
  await call();
  now = NOW + DAY - 1;
  const last = await call();
  now = NOW + DAY;
  const next = await call();

  expect([last, next].map(outcomeOf)).toEqual([
    [201, '{"run":2}', true],
    [201, '{"run":3}', false],
  ]);
  expect(runs).toEqual([
    [1, NOW],
    [2, NOW],
    [1, NOW + DAY],
  ]);
});

it('gives the retry of another credential the recorded result without its secret, and the first one both', async () => {
  await call(makeAndCrash);

  const other = await call(make, { principal: 'key_2' });
  const first = await call(make);

  expect(other.body).toEqual({ id: '1', secret: null, withheld: expect.any(String) });
  expect(first.body).toEqual({ id: '1', secret: 's1' });
  expect(runs).toHaveLength(2);
});

it('refuses the result to a credential of another lane, and gives it to the first one and to one without a lane', async () => {
  await call(makeAndCrash, { residency: 'eu' });

  const answers = [
    await call(make, { principal: 'key_2', residency: 'us' }),
    await call(make, { principal: 'key_3' }),
    await call(make, { residency: 'eu' }),
  ];

  expect(answers.map(({ status, body }) => [status, body['id'], body['secret']])).toEqual([
    [409, undefined, undefined],
    [201, '1', null],
    [201, '1', 's1'],
  ]);
});

it('stores no refusal of a call that has taken effect, and gives its result to the next retry', async () => {
  await call(makeAndCrash);

  const refused = await call(() => {
    throw new ProblemError('NOT_FOUND', 'Deleted since.');
  });
  const next = await call(make);

  expect([refused.status, next.status, next.body]).toEqual([404, 201, { id: '1', secret: 's1' }]);
});

it('records no effect of an attempt that was replaced', async () => {
  let late: Claim | undefined;
  await call((claim) => {
    late = claim;
    throw new Error('crashed');
  });
  await call(make);

  expect(await commit([late?.record({ result: { id: 'late' }, secret: null }) ?? {}])).toBe(false);
});
