import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { Exchange } from '../../../functions/platform/http/exchange.ts';
import { type Reply, reply } from '../../../functions/platform/http/reply.ts';
import type { ResponseStore } from '../../../functions/platform/idempotency/response.store.ts';
import { ProblemError, unavailable } from '../../../functions/platform/shared/problem.ts';
import type { Caller } from '../../../functions/platform/tenancy/caller.ts';
import { type ErrorCode, problemTypes } from '../../../schemas/problems.ts';
import { outage } from '../../support/outage.ts';
import {
  caller,
  NOW,
  serve,
  storedResponsesIn,
  type TestRequest,
  type TestResponse,
  testRoute,
} from '../http/harness.ts';
import { inMemoryResponseStore } from './inMemoryResponseStore.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** The remaining time of a function in the harness, and the margin of its lease. */
const LEASE = 10_000 + 2_000;

const writing = testRoute({ method: 'POST', rate: 'write', operation: 'makeThing' });

let responses: ReturnType<typeof inMemoryResponseStore>;
let now: number;
/** The input of each run of the operation. */
let runs: Pick<Exchange, 'claim' | 'receivedAt'>[];

beforeEach(() => {
  responses = inMemoryResponseStore();
  now = NOW;
  runs = [];
  // Outages are logged; the output is not needed here.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const made = () => reply(201, { run: runs.length }, { location: `/things/${runs.length}` });

/** One call of an operation. Default: the operation `made`. */
const call = (
  options: {
    readonly sent?: TestRequest;
    readonly key?: string;
    readonly by?: Partial<Caller>;
    readonly run?: () => Promise<Reply> | Reply;
    readonly store?: Partial<ResponseStore>;
    readonly sealing?: () => Promise<Uint8Array>;
    readonly shape?: Parameters<typeof testRoute>[0];
    readonly remaining?: number;
  } = {},
): Promise<TestResponse> => {
  const { sent = {}, key = 'a-key', by = {}, run = made, store = {}, shape, remaining } = options;
  const stored = storedResponsesIn({ ...responses.store, ...store });
  return serve(
    testRoute({ ...writing, ...shape }),
    ({ claim, receivedAt }) => {
      runs.push({ receivedAt, ...(claim && { claim }) });
      return run();
    },
    { ...sent, headers: { 'x-api-key': 'ask_good', 'idempotency-key': key, ...sent.headers } },
    {
      authenticator: async () => ({ ...caller, ...by }),
      clock: () => now,
      responses: { ...stored, ...(options.sealing && { sealing: options.sealing }) },
      ...(remaining !== undefined && { remaining }),
    },
  );
};
const replayed = ({ headers }: TestResponse) => headers['idempotency-replayed'];
const errorOf = ({ body }: TestResponse) => body['error_code'];
const FAULTS = [{ pointer: '/a', detail: 'must not' }];
const refuse = (code: ErrorCode) => () => {
  throw new ProblemError(code, 'What happened.', {
    ...(code === 'VALIDATION_FAILED' && { errors: FAULTS }),
  });
};

describe('the outcome of a call', () => {
  it.each([
    ['nothing', 204, undefined, ''],
    ['text', 200, '{"b": 2}', '{"b": 2}'],
    ['a value', 200, { a: 1 }, '{"a":1}'],
  ])('is stored when it is %s', async (_, status, body, text) => {
    const run = () => reply(status, body);

    const ended = [await call({ run }), await call({ run })];

    expect(ended.map((outcome) => [outcome.status, outcome.text])).toEqual([
      [status, text],
      [status, text],
    ]);
    expect(runs).toHaveLength(1);
  });

  it('is stored with its field errors when it is a refusal', async () => {
    const [invalid, conflict] = [refuse('VALIDATION_FAILED'), refuse('CONFLICT')];

    const replays = [await call({ run: invalid }), await call({ run: invalid })];
    const others = [await call({ run: conflict, key: 'other' }), await call({ run: conflict, key: 'other' })];

    for (const { body } of replays) expect(body['errors']).toEqual([{ pointer: '/a', detail: 'must not' }]);
    for (const { body } of others) expect(body).not.toHaveProperty('errors');
  });
});

describe('a retry', () => {
  it('does not run again and returns status, body and Location of the first call', async () => {
    const [first, again] = [await call(), await call()];

    expect(runs).toHaveLength(1);
    expect([first.status, first.text, first.headers['location']]).toEqual([201, '{"run":1}', '/things/1']);
    expect([again.status, again.text, again.headers['location']]).toEqual([201, '{"run":1}', '/things/1']);
    expect([replayed(first), replayed(again)]).toEqual([undefined, 'true']);
  });

  it('has its own trace id and RateLimit headers', async () => {
    const [first, again] = [await call(), await call()];

    expect(again.headers['x-trace-id']).not.toBe(first.headers['x-trace-id']);
    expect(again.headers).toMatchObject({ 'ratelimit-limit': '100', 'cache-control': 'no-store' });
  });

  it('returns no body when the first call returned none', async () => {
    const options = { run: () => reply(204, undefined) };

    const answers = [await call(options), await call(options)];

    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ]);
    expect(answers.map(replayed)).toEqual([undefined, 'true']);
  });

  it('returns a text body unchanged', async () => {
    const options = { run: () => reply(200, '{ "spaced" : 1 }') };

    expect([(await call(options)).text, (await call(options)).text]).toEqual(
      Array(2).fill('{ "spaced" : 1 }'),
    );
  });

  it('is recognized with a quoted key', async () => {
    await call({ key: 'a-key' });

    expect(replayed(await call({ key: '"a-key"' }))).toBe('true');
  });

  it('returns the response after a rotation of the credential, and 403 once the scope was removed', async () => {
    await call();

    const lost = await call({ by: { scopes: new Set() } });

    expect([errorOf(lost), replayed(lost), runs.length]).toEqual(['INSUFFICIENT_SCOPE', undefined, 1]);
  });

  it('runs again after 24 hours under a new claim', async () => {
    await call();
    now += DAY - 1;
    const last = await call();
    now += 1;
    const next = await call();

    expect([replayed(last), replayed(next)]).toEqual(['true', undefined]);
    expect(runs).toHaveLength(2);
    expect(runs[1]?.claim?.claim).not.toBe(runs[0]?.claim?.claim);
  });
});

describe('another call with a used key', () => {
  const sending = (text: string) => ({
    shape: { body: { kind: 'json' as const, schema: anything, maxBytes: 100 } },
    sent: { body: text, headers: { 'content-type': 'application/json' } },
  });
  const anything = z.unknown();

  it.each<[string, Parameters<typeof call>[0], Parameters<typeof call>[0]]>([
    ['body', sending('{"a":1}'), sending('{"a":2}')],
    ['spelling of its body', sending('{"a":1}'), sending('{"a": 1}')],
    ['path', { sent: { path: '/things/1' } }, { sent: { path: '/things/2' } }],
  ])('returns 422 when it has another %s, and keeps the stored response', async (_, one, other) => {
    const first = await call(one);

    const conflict = await call(other);
    const again = await call(one);

    expect([conflict.status, errorOf(conflict), replayed(conflict)]).toEqual([
      422,
      'IDEMPOTENCY_CONFLICT',
      undefined,
    ]);
    expect([again.text, replayed(again), runs.length]).toEqual([first.text, 'true', 1]);
  });

  it.each<[string, Parameters<typeof call>[0]]>([
    ['tenant', { by: { tenant: { ...caller.tenant, tenant_id: 'globex' } } }],
    ['route', { shape: { path: '/others' } }],
    ['method', { shape: { method: 'PUT' } }],
    ['key', { key: 'A-key' }],
  ])('is an independent call with another %s', async (_, other) => {
    await call();

    expect(replayed(await call(other))).toBeUndefined();
    expect(runs).toHaveLength(2);
  });
});

describe('while the first call runs', () => {
  it('returns 409 for the same call and 422 for a different one', async () => {
    let finish: (reply: Reply) => void = () => undefined;
    const first = call({ run: () => new Promise((settle) => (finish = settle)) });
    await expect.poll(() => runs.length).toBe(1);

    const same = await call({ by: { principal: 'key_2' } });
    const other = await call({ sent: { path: '/things/2' } });
    finish(reply(201, { late: true }));

    expect([same.status, errorOf(same), same.headers['retry-after']]).toEqual([
      409,
      'IDEMPOTENCY_IN_PROGRESS',
      '1',
    ]);
    expect(errorOf(other)).toBe('IDEMPOTENCY_CONFLICT');
    expect((await first).status).toBe(201);
    expect([(await call()).text, runs.length]).toEqual(['{"late":true}', 1]);
  });

  it('a duplicate waits briefly and returns the response of the first call', async () => {
    let finish: (reply: Reply) => void = () => undefined;
    const first = call({ run: () => new Promise((settle) => (finish = settle)) });
    await expect.poll(() => runs.length).toBe(1);
    let attempts = 0;
    const begin: ResponseStore['begin'] = async (...begins) => {
      attempts += 1;
      if (attempts === 2) {
        finish(made());
        await first;
      }
      return responses.store.begin(...begins);
    };

    const duplicate = await call({ store: { begin } });

    expect([duplicate.status, replayed(duplicate), runs.length]).toEqual([201, 'true', 1]);
  });

  it('a duplicate polls five times with growing delays before it returns 409', async () => {
    const looks: number[] = [];
    const begin: ResponseStore['begin'] = async (_key, _print, at) => {
      looks.push(at - NOW);
      return { kind: 'running' };
    };
    const timers = vi.spyOn(globalThis, 'setTimeout');

    const duplicate = await call({ store: { begin } });

    expect(errorOf(duplicate)).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(looks).toEqual([0, 50, 150, 350, 750]);
    const waits = timers.mock.calls.map(([, wait]) => wait);
    expect(waits.filter((wait) => [50, 100, 200, 400].includes(wait ?? 0))).toEqual([50, 100, 200, 400]);
  });

  it('the lease lasts longer than the remaining time of the function, counted from now', async () => {
    const leases: number[] = [];
    const begin: ResponseStore['begin'] = async (key, print, at, until) => {
      leases.push(until);
      return responses.store.begin(key, print, at, until);
    };
    const authenticator = async () => {
      // A slow credential store has used three of the ten seconds.
      now += 3_000;
      return caller;
    };

    await serve(
      writing,
      made,
      { headers: { 'x-api-key': 'ask_good', 'idempotency-key': 'slow' } },
      {
        authenticator,
        clock: () => now,
        responses: storedResponsesIn({ ...responses.store, begin }),
        remaining: 7_000,
      },
    );

    expect(leases).toEqual([NOW + 3_000 + 7_000 + 2_000]);
  });
});

describe('a call that is refused', () => {
  it.each<[ErrorCode, unknown]>([
    ['NOT_FOUND', undefined],
    ['CONFLICT', undefined],
    ['NO_SCOPE', [{ detail: 'What happened.' }]],
    ['RESIDENCY_BLOCKED', undefined],
    ['VALIDATION_FAILED', FAULTS],
  ])('with %s receives the same response from a replay, with a new trace id', async (code, errors) => {
    const [first, again] = [await call({ run: refuse(code) }), await call()];

    const { trace_id: one, ...refusal } = first.body;
    const { trace_id: other, ...repeated } = again.body;
    expect(runs).toHaveLength(1);
    expect(repeated).toEqual(refusal);
    expect(first.status).toBe(problemTypes[code].status);
    expect(first.body['errors']).toEqual(errors);
    expect(again.headers['x-trace-id']).toBe(other);
    expect(other).not.toBe(one);
    expect(replayed(again)).toBe('true');
  });

  it.each<[string, () => never]>([
    ['an outage', () => fail(unavailable(new Error('the table is down')))],
    ['an internal error', () => fail(new TypeError('unexpected'))],
    ['a temporary refusal', refuse('RATE_LIMITED')],
    ['a missing scope of the creator', refuse('INSUFFICIENT_SCOPE')],
  ])('because of %s runs again at once as the next attempt of the same call', async (_, run) => {
    const refused = await call({ run });
    now += 5;
    const again = await call();

    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect([again.status, replayed(again)]).toEqual([201, undefined]);
    expect(runs).toMatchObject([
      { receivedAt: NOW, claim: { claim: expect.any(String), attempt: 1 } },
      { receivedAt: NOW, claim: { claim: runs[0]?.claim?.claim, attempt: 2 } },
    ]);
  });

  const fail = (error: unknown): never => {
    throw error;
  };

  it('before it runs does not consume the key', async () => {
    const refusals = [
      await call({ by: { scopes: new Set() } }),
      await call({ sent: { headers: { 'x-tenant-id': 'globex' } } }),
      await call({ shape: { query: z.strictObject({}) }, sent: { query: { limit: '0' } } }),
    ];

    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 400]);
    expect([responses.rows.size, runs.length]).toEqual([0, 0]);
  });
});

describe('a crash', () => {
  const never = () => new Promise<never>(() => undefined);

  it('delays the retry until the lease expires; the call then continues at its first arrival time', async () => {
    // The function is stopped while it runs: the caller only sees a timeout.
    const crashed = await call({ run: never, remaining: 300 });
    now += 300 + 2_000 - 1_000;
    const early = await call({ remaining: 10_000 });
    now += 1_000;
    const late = await call();

    expect([crashed, early, late].map(({ status }) => status)).toEqual([503, 409, 201]);
    expect(runs.map(({ receivedAt, claim }) => [receivedAt, claim?.attempt])).toEqual([
      [NOW, 1],
      [NOW, 2],
    ]);
  });

  it('of a slow first attempt cannot change the response of the second', async () => {
    let wake: (reply: Reply) => void = () => undefined;
    const first = call({ run: () => new Promise((settle) => (wake = settle)) });
    await expect.poll(() => runs.length).toBe(1);
    now += LEASE;
    const second = await call({ run: () => reply(201, { attempt: 2 }) });

    wake(reply(201, { attempt: 1 }));

    expect([(await first).status, second.text, (await call()).text]).toEqual([
      503,
      '{"attempt":2}',
      '{"attempt":2}',
    ]);
  });

  it('before the response is stored returns no response: only stored responses are sent', async () => {
    const end = async () => {
      throw outage();
    };

    const lost = await call({ store: { end } });
    const again = await call();

    expect([lost.status, errorOf(lost)]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect([again.status, again.text, replayed(again)]).toEqual([201, '{"run":2}', undefined]);
    expect(runs[1]?.claim).toMatchObject({ claim: runs[0]?.claim?.claim, attempt: 2 });
  });
});

describe('an outage', () => {
  const down = async () => {
    throw outage();
  };

  it('of the store prevents the effect', async () => {
    const answer = await call({ store: { begin: down } });

    expect([answer.status, answer.headers['retry-after'], runs.length]).toEqual([503, '1', 0]);
  });

  it('of the sealing key prevents the effect and does not block a retry', async () => {
    const answer = await call({ sealing: down });

    expect([answer.status, runs.length]).toEqual([503, 0]);
    expect((await call()).status).toBe(201);
  });
});

it('stores neither the response nor the key in plain text', async () => {
  const secret = 'ask_test_canary';
  await call({ key: 'canary-key', run: () => reply(201, { secret }), by: { principal: 'key_canary' } });

  const storedRows = JSON.stringify([...responses.rows]);
  const sealed = [...responses.rows.values()].map((row) => Buffer.from(row.sealed ?? '', 'base64'));

  expect(storedRows).not.toMatch(/canary/);
  expect(sealed.map((bytes) => bytes.includes('canary'))).toEqual([false]);
});
