import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reply } from '../../../functions/platform/http/reply.ts';
import { throttleTimeoutMs } from '../../../functions/platform/shared/aws/calls/throttling.ts';
import { unavailable } from '../../../functions/platform/shared/problem.ts';
import { ThrottledError } from '../../../functions/platform/shared/retry/throttledError.ts';
import { routes } from '../../../schemas/routes/index.ts';
import { routeKey } from '../../../schemas/routes/route.ts';
import { caller, serve, type TestRequest, testRoute } from '../../platform/http/harness.ts';

const guarded = routes
  .filter(({ access }) => access !== 'public')
  .map((route) => [routeKey(route), route] as const);
const done = () => reply(200, {});
const sentBy = (headers: Record<string, string>): TestRequest => ({ headers });

// Outages are logged; the output is not needed here.
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

describe('without PUBLIC_CONTRACT', () => {
  it.each(guarded)('returns 401 without a credential: %s', async (_, route) => {
    const answer = await serve(route, done, {}, { publicContract: false });

    expect(answer).toMatchObject({ status: 401, body: { error_code: 'INVALID_CREDENTIALS' } });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });
});

describe('a contract route with PUBLIC_CONTRACT', () => {
  const open = testRoute({ access: 'contract' });

  it('returns 401 for an invalid credential', async () => {
    expect(await serve(open, done, sentBy({ 'x-api-key': 'bad' }))).toMatchObject({ status: 401 });
  });

  it('charges an authenticated caller and no unauthenticated one', async () => {
    const known = await serve(open, done, sentBy({ 'x-api-key': 'ask_good' }));
    const unknown = await serve(open, done);

    expect(known.headers).toHaveProperty('ratelimit-remaining');
    expect(unknown.headers).not.toHaveProperty('ratelimit-remaining');
  });
});

describe('authenticateMiddleware', () => {
  it.each([
    ['X-API-Key', { 'x-api-key': 'ask_good' }],
    ['Authorization', { authorization: 'Bearer ask_good' }],
    ['Authorization in another case', { authorization: 'bEaReR   ask_good' }],
  ])('accepts a credential in %s', async (_, headers) => {
    expect(await serve(testRoute(), done, sentBy(headers))).toMatchObject({ status: 200 });
  });

  it.each([
    ['in two headers', { 'x-api-key': 'ask_good', authorization: 'Bearer ask_good' }],
    ['next to an empty one', { 'x-api-key': '', authorization: 'Bearer ask_good' }],
    ['in a list', { authorization: 'Bearer ask_good,Bearer ask_good' }],
    ['without a scheme', { authorization: 'ask_good' }],
    ['with another scheme', { authorization: 'Basic ask_good' }],
    ['empty', { authorization: 'Bearer ' }],
    ['that is a token in the X-API-Key header', { 'x-api-key': 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln' }],
    ['as a cookie', { cookie: 'x-api-key=ask_good' }],
    ['with a line break', { authorization: 'Bearer ask_good\n' }],
  ])('returns 401 for a credential %s', async (_, headers) => {
    expect(await serve(testRoute(), done, sentBy(headers))).toMatchObject({
      status: 401,
      body: { error_code: 'INVALID_CREDENTIALS' },
    });
  });

  it('returns 503 with Retry-After after 300 ms in which the look-up of a credential is throttled', async () => {
    let patience = Number.NaN;
    const authenticator = async () => {
      patience = throttleTimeoutMs(Date.now());
      throw new ThrottledError('The table is throttled');
    };

    const required = await serve(testRoute(), done, sentBy({ 'x-api-key': 'ask_good' }), { authenticator });

    expect(patience).toBe(300);
    expect(required).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
    expect(Number(required.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('returns 503 when the authenticator is unavailable', async () => {
    const authenticator = async () => {
      throw unavailable(new Error('the store is down'));
    };

    const answer = await serve(testRoute(), done, sentBy({ 'x-api-key': 'ask_good' }), { authenticator });

    expect(answer).toMatchObject({ status: 503, body: { error_code: 'SERVICE_UNAVAILABLE' } });
    expect(answer.headers).toMatchObject({ 'retry-after': '1' });
    expect(answer.headers).not.toHaveProperty('www-authenticate');
  });

  it('returns EXPIRED for an expired key with the right secret', async () => {
    const answer = await serve(testRoute(), done, sentBy({ 'x-api-key': 'ask_old' }), {
      authenticator: async () => 'expired',
    });

    expect(answer).toMatchObject({ status: 401, body: { error_code: 'EXPIRED', reason: 'expired_key' } });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it.each([
    ['expired_token', 'expired_token', 'The access token has expired'],
    ['invalid', 'invalid_credential', 'The access token is not valid'],
  ] as const)(
    'tells a client with a token that is %s whether a new token helps',
    async (outcome, reason, text) => {
      const answer = await serve(testRoute(), done, sentBy({ authorization: 'Bearer a.b.c' }), {
        authenticator: async () => outcome,
      });

      expect(answer).toMatchObject({ status: 401, body: { error_code: 'INVALID_CREDENTIALS', reason } });
      expect(answer.headers['www-authenticate']).toBe(
        `Bearer error="invalid_token", error_description="${text}"`,
      );
    },
  );

  it('gives a request without a credential no error of a token (RFC 6750 §3.1)', async () => {
    const answer = await serve(testRoute(), done, sentBy({}));

    expect(answer).toMatchObject({ status: 401, body: { reason: 'no_credential' } });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('does not reuse the scopes of an earlier request', async () => {
    const authenticator = async (credential: string) =>
      credential === 'ask_good' ? caller : { ...caller, scopes: new Set<never>() };

    const first = await serve(testRoute(), done, sentBy({ 'x-api-key': 'ask_good' }), { authenticator });
    const second = await serve(testRoute(), done, sentBy({ 'x-api-key': 'ask_poor' }), { authenticator });

    expect([first.status, second.status]).toEqual([200, 403]);
  });
});
