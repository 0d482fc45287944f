import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Reply, reply } from '../../../functions/platform/http/reply.ts';
import { responseStore } from '../../../functions/platform/idempotency/response.store.ts';
import { type LiveTables, startTables } from '../../support/tables.ts';
import { NOW, serve, storedResponsesIn, type TestResponse, testRoute } from '../http/harness.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** The remaining time of a function in the harness, and the margin of its lease. */
const LEASE = 10_000 + 2_000;

const route = testRoute({ method: 'POST', rate: 'write', operation: 'makeThing' });
const store = responseStore('idempotency');

let live: LiveTables;
let now: number;
let key = 0;
/** Attempt and arrival time of each run of the operation. */
let runs: (readonly [attempt: number | undefined, receivedAt: number])[];

beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());
beforeEach(() => {
  now = NOW;
  key += 1;
  runs = [];
});

const call = (run: () => Promise<Reply> | Reply = () => reply(201, { run: runs.length })) =>
  serve(
    route,
    ({ claim, receivedAt }) => {
      runs.push([claim?.attempt, receivedAt]);
      return run();
    },
    { headers: { 'x-api-key': 'ask_good', 'idempotency-key': `call-${key}` } },
    { clock: () => now, responses: storedResponsesIn(store) },
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
