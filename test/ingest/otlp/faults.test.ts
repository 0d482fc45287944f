import { describe, expect, it } from 'vitest';
import { reply } from '../../../functions/platform/http/reply.ts';
import { unavailable } from '../../../functions/platform/shared/problem.ts';
import { postLogs, postMetrics, postTraces } from '../../../schemas/routes/ingest/otlp.ts';
import { caller, serve } from '../../platform/http/harness.ts';

const request = {
  headers: { 'x-api-key': 'ask_good', 'content-type': 'application/json' },
  body: '{}',
};
const pipeline = { authenticator: async () => ({ ...caller, scopes: new Set(['ingest:write'] as const) }) };

const throwing = (error: unknown) => () => {
  throw error;
};

describe.each([postTraces, postLogs, postMetrics])('a fault of $operation', (route) => {
  it.each([
    ['an unexpected error', new TypeError('a bug')],
    ['a queue that does not answer', unavailable(new Error('timeout'))],
  ])('by %s is 503 with Retry-After, because exporters lose the data on 500', async (_, error) => {
    expect(await serve(route, throwing(error), request, pipeline)).toMatchObject({
      status: 503,
      headers: { 'content-type': 'application/json', 'retry-after': '1' },
      body: { code: 14, message: expect.stringMatching(/./) },
    });
  });
});

describe('an export over the rate limit', () => {
  it('is 429 with Retry-After, as a google.rpc.Status', async () => {
    const state = { limit: 100, remaining: 0, reset: 3 };
    const limiter = {
      charge: async () => ({ outcome: 'refused', state, retryAfter: 3 }) as const,
      peek: async () => state,
    };

    expect(await serve(postTraces, () => reply(200, {}), request, { ...pipeline, limiter })).toMatchObject({
      status: 429,
      headers: { 'content-type': 'application/json', 'retry-after': '3' },
      body: { code: 8, message: expect.stringMatching(/./) },
    });
  });
});
