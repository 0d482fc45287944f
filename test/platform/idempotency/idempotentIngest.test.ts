import { beforeEach, describe, expect, it } from 'vitest';
import { reply } from '../../../functions/platform/http/reply.ts';
import type { ClaimResult } from '../../../functions/platform/http/underKey.ts';
import type { IdempotencyClaims } from '../../../functions/platform/idempotency/idempotencyClaim.store.ts';
import { ProblemError } from '../../../functions/platform/shared/problem.ts';
import { caller, NOW, serve, testRoute } from '../http/harness.ts';

const ingest = testRoute({ method: 'POST', rate: 'ingest', access: 'read:attribution' });
const headers = { 'x-api-key': 'ask_good', 'idempotency-key': 'one' };

let result: ClaimResult | 'down';
let claimed: { key: string; fingerprint: string; now: number }[];
let released: string[];
let instants: number[];
let failure: Error | undefined;

const store: IdempotencyClaims = {
  claim: async (key, fingerprint, now) => {
    claimed.push({ key, fingerprint, now });
    if (result === 'down') throw new Error('the table is down');
    return result;
  },
  release: async (key, fingerprint) => {
    released.push(`${key} ${fingerprint}`);
    if (result === 'down') throw new Error('the table is down');
  },
};

const send = (principal = 'key_one') =>
  serve(
    ingest,
    (exchange) => {
      instants.push(exchange.receivedAt);
      if (failure !== undefined) throw failure;
      return reply(202, { queued: true });
    },
    { headers },
    { claims: store, authenticator: async () => ({ ...caller, principal }) },
  );

beforeEach(() => {
  result = { kind: 'first' };
  [claimed, released, instants] = [[], [], []];
  failure = undefined;
});

describe('idempotentIngest', () => {
  it('claims the key once with the arrival time and keeps the claim', async () => {
    const answer = await send();

    expect(answer).toMatchObject({ status: 202, body: { queued: true } });
    expect(answer.headers).not.toHaveProperty('idempotency-replayed');
    expect(claimed).toMatchObject([{ now: NOW }]);
    expect(released).toEqual([]);
  });

  it('runs a repeat at the arrival time of the first call and marks it as replayed', async () => {
    result = { kind: 'repeat', receivedAt: NOW - 5_000 };

    const answer = await send();

    expect(answer).toMatchObject({ status: 202, headers: { 'idempotency-replayed': 'true' } });
    expect(instants).toEqual([NOW - 5_000]);
  });

  it('has no effect when the key was used with another request', async () => {
    result = { kind: 'conflict' };

    expect((await send()).body).toMatchObject({ status: 422, error_code: 'IDEMPOTENCY_CONFLICT' });
    expect(instants).toEqual([]);
  });

  it('claims the same key once for each credential', async () => {
    await send('key_one');
    await send('key_other');
    await send('key_one');

    const [one, other, again] = claimed.map(({ key }) => key);
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  it('releases the claim of a failed call, so that a retry counts as the first', async () => {
    failure = new ProblemError('VALIDATION_FAILED', 'no');

    expect((await send()).status).toBe(422);
    expect(released).toEqual(claimed.map(({ key, fingerprint }) => `${key} ${fingerprint}`));
  });

  it('keeps the claim and sets no replay header when a repeat fails', async () => {
    result = { kind: 'repeat', receivedAt: NOW };
    failure = new ProblemError('VALIDATION_FAILED', 'no');

    const answer = await send();

    expect(answer.status).toBe(422);
    expect(answer.headers).not.toHaveProperty('idempotency-replayed');
    expect(released).toEqual([]);
  });

  it('accepts the event without a claim and sets Degraded while the store is down', async () => {
    result = 'down';

    const answer = await send();

    expect(answer).toMatchObject({ status: 202, headers: { degraded: 'idempotency' } });
    expect(instants).toHaveLength(1);
  });
});
