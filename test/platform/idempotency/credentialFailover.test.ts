import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Reply, reply } from '../../../functions/platform/http/reply.ts';
import type { Caller } from '../../../functions/platform/tenancy/caller.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { caller, NOW, serve, storedResponsesIn, type TestResponse, testRoute } from '../http/harness.ts';
import { inMemoryResponseStore } from './inMemoryResponseStore.ts';

const SECRET = 'ask_test_only_once';
const tenant = { ...caller.tenant, residency: ['eu', 'us'] };
const first: Partial<Caller> = { tenant };
const second: Partial<Caller> = { tenant, principal: 'cli_2', kind: 'oauth_client' };

const route = testRoute({
  method: 'POST',
  rate: 'write',
  authority: { withholds: ['read:reporting'] },
  body: { kind: 'json', schema: z.unknown(), maxBytes: 100 },
  replies: { 201: { description: 'With a secret', secret: 'secret' } },
});

let responses: ReturnType<typeof inMemoryResponseStore>;
let now: number;
let runs: string[];

beforeEach(() => {
  responses = inMemoryResponseStore();
  now = NOW;
  runs = [];
});

const created = () => reply(201, { id: `key_${runs.length}`, secret: SECRET, name: 'n' });

/** The same request with the same Idempotency-Key, sent by one of the credentials. */
const send = (
  by: Partial<Caller>,
  options: { run?: () => Promise<Reply> | Reply; type?: string; remaining?: number; body?: string } = {},
): Promise<TestResponse> => {
  const { run = created, type = 'application/json', remaining, body = '{"a":1}' } = options;
  return serve(
    route,
    () => {
      runs.push(by.principal ?? caller.principal);
      return run();
    },
    { body, headers: { 'x-api-key': 'ask_good', 'idempotency-key': 'one', 'content-type': type } },
    {
      authenticator: async () => ({ ...caller, ...by }),
      clock: () => now,
      responses: storedResponsesIn(responses.store),
      ...(remaining !== undefined && { remaining }),
    },
  );
};
const replayed = ({ headers }: TestResponse) => headers['idempotency-replayed'];

describe('a retry with another credential of the tenant', () => {
  it('replays the response without its secret and says why, and the first credential still gets the secret', async () => {
    const original = await send(first);

    const [other, again] = [await send(second), await send(first)];

    expect([other.status, replayed(other), runs.length]).toEqual([201, 'true', 1]);
    expect(other.body).toEqual({
      id: 'key_1',
      secret: null,
      name: 'n',
      withheld: expect.stringContaining('rotate'),
    });
    expect([again.text, replayed(again)]).toEqual([original.text, 'true']);
  });

  it.each<[string, Partial<Caller>]>([
    ['fewer scopes', { ...first, scopes: new Set<Scope>(['read:attribution']) }],
    ['a narrower lane', { ...first, residency: 'eu' }],
  ])('never reveals the secret to a token of the same principal with %s', async (_, narrower) => {
    await send({ ...first, scopes: new Set<Scope>(['read:attribution', 'ingest:write']) });

    const other = await send(narrower);

    expect(other.text).not.toContain(SECRET);
    expect(replayed(other)).toBe('true');
  });

  it('reveals the secret when only the order of the scopes differs', async () => {
    const scopes: Scope[] = ['read:attribution', 'ingest:write'];
    const original = await send({ ...first, scopes: new Set(scopes) });

    expect((await send({ ...first, scopes: new Set(scopes.toReversed()) })).text).toBe(original.text);
  });

  it.each([
    [null, 'eu', 409],
    ['us', 'eu', 409],
    ['eu', 'eu', 201],
    ['eu', null, 201],
  ])(
    'of a response in lane %s to lane %s answers %i, since a body can hold data of its lane',
    async (one, other, status) => {
      await send({ ...first, residency: one });

      const answer = await send({ ...second, residency: other });

      expect([answer.status, replayed(answer), runs.length]).toEqual([status, 'true', 1]);
      if (status === 409) expect(answer.body).toMatchObject({ error_code: 'RESIDENCY_BLOCKED' });
    },
  );

  it.each<[Scope[], Scope[], number]>([
    [['read:attribution', 'read:reporting'], ['read:attribution'], 403],
    [['read:attribution', 'read:reporting'], ['read:attribution', 'read:reporting'], 201],
    [['read:attribution'], ['read:attribution', 'read:reporting'], 201],
    [['read:attribution', 'ingest:write'], ['read:attribution'], 201],
  ])(
    'of a response composed for %j to a caller with %j answers %i, since it can hold data that the route withholds',
    async (one, other, status) => {
      await send({ ...first, scopes: new Set(one) });

      const answer = await send({ ...second, scopes: new Set(other) });

      expect([answer.status, replayed(answer), runs.length]).toEqual([status, 'true', 1]);
      if (status === 403) expect(answer.body).toMatchObject({ error_code: 'INSUFFICIENT_SCOPE' });
    },
  );

  it.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])(
    'is a replay with the content type %s',
    async (type) => {
      await send(first);

      expect(replayed(await send(second, { type }))).toBe('true');
    },
  );

  it('is a conflict with another body, also by the first credential', async () => {
    await send(first);

    const others = [await send(second, { body: '{"a":2}' }), await send(first, { body: '{"a": 1}' })];

    expect(others.map(({ body }) => body['error_code'])).toEqual(Array(2).fill('IDEMPOTENCY_CONFLICT'));
  });
});

it('of 50 concurrent calls by two credentials one takes effect, and its credential alone gets the secret', async () => {
  const callers = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? first : second));
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return created();
  };

  const answers = await Promise.all(
    callers.map(async (by) => ({ by, answer: await send(by, { run: slow }) })),
  );

  expect(runs).toHaveLength(1);
  expect(answers.every(({ answer }) => answer.status === 201)).toBe(true);
  expect(answers.filter(({ answer }) => replayed(answer) === undefined)).toHaveLength(1);
  const withSecret = answers.filter(({ answer }) => answer.text.includes(SECRET)).map(({ by }) => by);
  expect(new Set(withSecret)).toEqual(new Set([runs[0] === 'cli_2' ? second : first]));
  expect(withSecret).toHaveLength(25);
});

it('after a crash of the first attempt the other credential completes the call and gets the secret', async () => {
  const crashed = await send(first, { run: () => new Promise<never>(() => undefined), remaining: 300 });
  now += 300 + 2_000;

  const other = await send(second);
  const late = await send(first);

  expect([crashed.status, other.status, other.body['secret']]).toEqual([503, 201, SECRET]);
  expect([late.status, late.body['secret'], replayed(late)]).toEqual([201, null, 'true']);
  expect(runs).toEqual(['key_1', 'cli_2']);
});

it('the stored row opens for no other credential: its secret is sealed under a key of its owner', async () => {
  await send(first);

  const { openForAnyone, replayTo, StoredReply } = await import(
    '../../../functions/platform/idempotency/replay.ts'
  );
  const [[recordKey = '', stored] = []] = [...responses.rows];
  const row = {
    recordKey,
    stack: new Uint8Array(32),
    idempotencyKey: 'one',
    random: (bytes: number) => new Uint8Array(bytes),
  };
  const opened = openForAnyone(stored?.sealed ?? '', row);

  expect(opened).not.toContain(SECRET);
  // Even a caller that forges the owner cannot open the seal of the secret.
  const forger: Caller = { ...caller, ...second };
  const owner = JSON.stringify(['cli_2', null, 'read:attribution']);
  const { secret, ...reply } = StoredReply.parse(JSON.parse(opened));
  if (secret === undefined) throw new Error('the reply has a secret');
  expect(() => replayTo(forger, { ...reply, secret: { ...secret, owner } }, row)).toThrow();
});
