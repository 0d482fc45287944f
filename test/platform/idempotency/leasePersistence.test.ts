import { BasePersistenceLayer } from '@aws-lambda-powertools/idempotency/persistence';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Exchange } from '../../../functions/platform/http/exchange.ts';
import { type Reply, reply } from '../../../functions/platform/http/reply.ts';
import type { ResponseStore } from '../../../functions/platform/idempotency/response.store.ts';
import { unavailable } from '../../../functions/platform/shared/problem.ts';
import { outage } from '../../support/outage.ts';
import { caller, NOW, serve, storedResponsesIn, type TestResponse, testRoute } from '../http/harness.ts';
import { inMemoryResponseStore } from './inMemoryResponseStore.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** The remaining time of a function in the harness, and the margin of its lease. */
const LEASE = 10_000 + 2_000;

const route = testRoute({ method: 'POST', rate: 'write', operation: 'makeThing' });

let responses: ReturnType<typeof inMemoryResponseStore>;
let now: number;
let runs: Pick<Exchange, 'claim' | 'receivedAt'>[];
let printed: string[];

beforeEach(() => {
  responses = inMemoryResponseStore();
  now = NOW;
  runs = [];
  printed = [];
  const print = (text: unknown) => {
    printed.push(String(text));
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(print);
  vi.spyOn(process.stderr, 'write').mockImplementation(print);
  vi.spyOn(console, 'warn').mockImplementation(print);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const call = (
  run: () => Promise<Reply> | Reply = () => reply(201, { run: runs.length }),
  store: Partial<ResponseStore> = {},
): Promise<TestResponse> =>
  serve(
    route,
    ({ claim, receivedAt }) => {
      runs.push({ receivedAt, ...(claim && { claim }) });
      return run();
    },
    { headers: { 'x-api-key': 'ask_good', 'idempotency-key': 'canary-key' } },
    {
      authenticator: async () => caller,
      clock: () => now,
      responses: storedResponsesIn({ ...responses.store, ...store }),
    },
  );
const fail = (error: unknown) => () => {
  throw error;
};
const down = async () => {
  throw outage('canary: the table is down');
};
const replayed = ({ headers }: TestResponse) => headers['idempotency-replayed'];
const attempts = () => runs.map(({ claim, receivedAt }) => [claim?.attempt, receivedAt]);

describe('no setting of the library changes the contract:', () => {
  it.each(['true', '1', 'on', 'yes'])(
    'POWERTOOLS_IDEMPOTENCY_DISABLED=%s does not switch it off',
    async (value) => {
      vi.stubEnv('POWERTOOLS_IDEMPOTENCY_DISABLED', value);

      const answers = [await call(), await call()];

      expect(answers.map(({ text }) => text)).toEqual(['{"run":1}', '{"run":1}']);
      expect([runs.length, responses.rows.size]).toEqual([1, 1]);
    },
  );

  it('a response stays stored when its route moves to another function', async () => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'one');
    await call();
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'other');

    expect(replayed(await call())).toBe('true');
    expect([...responses.rows.keys()]).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
  });

  // The library would end a window of one hour, in whole seconds of its own clock, counted from the completion.
  it.each([NOW - 10 * DAY, NOW + 10 * DAY])(
    'a system clock at %d does not move the end of the 24 hours from the first arrival',
    async (systemTime) => {
      vi.useFakeTimers({ toFake: ['Date'], now: systemTime });
      await call();
      now = NOW + DAY - 1;
      const last = await call();
      now = NOW + DAY;
      const next = await call();

      expect([last, next].map(replayed)).toEqual(['true', undefined]);
      expect(attempts()).toEqual([
        [1, NOW],
        [1, NOW + DAY],
      ]);
    },
  );
});

describe('the library', () => {
  it('receives the key hashed and the response sealed, and prints nothing', async () => {
    const [put, success] = [
      vi.spyOn(BasePersistenceLayer.prototype, 'saveInProgress'),
      vi.spyOn(BasePersistenceLayer.prototype, 'saveSuccess'),
    ];

    await call(() => reply(201, { secret: 'canary' }));
    await call();

    expect([put.mock.calls.length, success.mock.calls.length]).toEqual([2, 1]);
    expect(JSON.stringify([...put.mock.calls, ...success.mock.calls])).not.toContain('canary');
    expect(printed).toEqual([]);
  });

  it('runs an operation again after an inconsistent state, as the next attempt of the same call', async () => {
    const inconsistent = Object.assign(new Error(), { name: 'IdempotencyInconsistentStateError' });
    let failures = 1;
    const run = () => {
      if (failures > 0) {
        failures -= 1;
        throw inconsistent;
      }
      return reply(201, { run: runs.length });
    };

    const answer = await call(run);
    const again = await call(run);

    expect([answer.status, answer.text, replayed(answer)]).toEqual([201, '{"run":2}', undefined]);
    expect([again.text, replayed(again)]).toEqual(['{"run":2}', 'true']);
    expect(attempts()).toEqual([
      [1, NOW],
      [2, NOW],
    ]);
  });

  it('gives up after three inconsistent states and leaves the call to its retry', async () => {
    const run = fail(Object.assign(new Error(), { name: 'IdempotencyInconsistentStateError' }));

    const answers = [await call(run), await call()];

    expect(answers.map(({ status }) => status)).toEqual([500, 201]);
    expect(attempts().map(([attempt]) => attempt)).toEqual([1, 2, 3, 4]);
  });

  it('reports a thrown value that is no error as 500 and releases the lease', async () => {
    const answers = [await call(fail('a text')), await call()];

    expect(answers.map(({ status }) => status)).toEqual([500, 201]);
    expect(runs.map(({ claim }) => claim?.attempt)).toEqual([1, 2]);
  });
});

describe('an outage of the store', () => {
  it('when the lease is taken returns 503 without an effect', async () => {
    const answer = await call(undefined, { begin: down });

    expect([answer.status, answer.headers['retry-after'], runs.length]).toEqual([503, '1', 0]);
  });

  it('when the response is stored returns 503, and the retry runs at once as the next attempt', async () => {
    const answers = [await call(undefined, { end: down }), await call()];

    expect(answers.map((answer) => [answer.status, replayed(answer)])).toEqual([
      [503, undefined],
      [201, undefined],
    ]);
    expect(attempts()).toEqual([
      [1, NOW],
      [2, NOW],
    ]);
  });

  it('when a failed call releases its lease returns the failure, and the retry waits for the end of the lease', async () => {
    const failed = await call(fail(unavailable(new Error())), { abandon: down });
    const early = await call();
    now += LEASE;
    const late = await call();

    expect([failed, early, late].map(({ status }) => status)).toEqual([503, 409, 201]);
    expect(attempts()).toEqual([
      [1, NOW],
      [2, NOW],
    ]);
  });

  it.each([
    ['an internal error', new TypeError('canary'), 500],
    ['a refusal for the moment', unavailable(new Error('canary')), 503],
  ])('does not replace %s of the operation', async (_, error, status) => {
    const answer = await call(fail(error), { abandon: down });

    expect(answer.status).toBe(status);
  });

  it.each<keyof ResponseStore>(['begin', 'end'])(
    'at %s logs the kind of its cause, and neither key nor message',
    async (step) => {
      const error = Object.assign(new Error('canary'), { name: 'TimeoutError' });
      await call(undefined, { [step]: async () => Promise.reject(error) });

      expect(printed).toHaveLength(1);
      expect(printed[0]).toContain('"error_name":"TimeoutError"');
      expect(printed[0]).not.toContain('canary');
    },
  );
});
