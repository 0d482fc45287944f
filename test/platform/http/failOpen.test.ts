import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Authenticator } from '../../../functions/identity/access/authenticator.ts';
import { reply } from '../../../functions/platform/http/reply.ts';
import type { IdempotencyClaims } from '../../../functions/platform/idempotency/idempotencyClaim.store.ts';
import type { Limiter } from '../../../functions/platform/limits/limiter.ts';
import { outage } from '../../support/outage.ts';
import { serve, testRoute } from './harness.ts';

const fail = async (): Promise<never> => {
  throw outage();
};
const authenticator: Authenticator = async () => {
  throw outage();
};
const limiter: Limiter = { charge: fail, peek: fail };
const claims: IdempotencyClaims = { claim: fail, release: fail };

let runs: number;
beforeEach(() => {
  runs = 0;
  // Outages are logged; the output is not needed here.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const send = (rate: 'ingest' | 'write', options: Parameters<typeof serve>[3]) =>
  serve(
    testRoute({ method: 'POST', rate }),
    () => {
      runs += 1;
      return reply(202, {});
    },
    { headers: { 'x-api-key': 'ask_good', 'idempotency-key': 'k' } },
    options,
  );

describe('ingestion', () => {
  it('accepts the event without rate limit and idempotency claim, and says so', async () => {
    const answer = await send('ingest', { limiter, claims });

    expect([answer.status, answer.headers['degraded'], runs]).toEqual([202, 'rate-limit, idempotency', 1]);
  });

  it('returns 503 with Retry-After and stores nothing when the caller cannot be authenticated', async () => {
    const answer = await send('ingest', { authenticator });

    expect([answer.status, answer.headers['retry-after'], runs]).toEqual([503, '1', 0]);
    expect(answer.body).not.toHaveProperty('tenant_id');
  });
});

it('every other mutation returns 503 without rate limits', async () => {
  expect([(await send('write', { limiter })).status, runs]).toEqual([503, 0]);
});
