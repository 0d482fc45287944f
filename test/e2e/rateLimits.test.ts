import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { formatApiKey, parseApiKey } from '../../functions/identity/access/principals/apiKey.ts';
import { newSecret } from '../../functions/identity/access/principals/secret.ts';
import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { planLimits } from '../../schemas/platform/limits.ts';
import { RateLimitBudget } from '../../schemas/routes/tenants/limits.ts';
import { type Answer, call, someEvent } from '../support/client.ts';
import { spawnInstance, startInstance } from '../support/instance.ts';
import { administrationOf } from '../support/localService.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const instance = await startInstance();
const administration = await administrationOf(instance);
afterAll(() => instance.stop());

/** A new tenant on the free plan and its key. Tests that count tokens use slow refill rates. */
const newTenant = async (
  tenantId: string,
  limits: Tenant['limits'] = {},
): Promise<{ key: string; tenant: Tenant }> => {
  await administration.open({ tenantId, name: tenantId, plan: 'free', residency: [] });
  const tenant = await administration.update(tenantId, (opened) => ({ ...opened, limits }));
  return { tenant, key: await administration.issueKey(tenant, 'test key') };
};

const list = (key: string): Promise<Answer> => call(instance.baseUrl, '/v1/attribution?limit=1', { key });
const budget = async (key: string, baseUrl = instance.baseUrl) => {
  const answer = await call(baseUrl, '/api/v1/rate-limit', { key });
  const { plan, classes } = RateLimitBudget.parse(answer.body);
  return { plan, answer, of: (name: string) => classes.find((one) => one.class === name) };
};

const WholeNumber = z.string().regex(/^\d+$/).transform(Number);
/** The rate limit headers. Throws when one is missing or not a whole number. */
const rateLimitHeaders = ({ headers }: Answer) => ({
  limit: WholeNumber.parse(headers.get('ratelimit-limit')),
  remaining: WholeNumber.parse(headers.get('ratelimit-remaining')),
  reset: WholeNumber.parse(headers.get('ratelimit-reset')),
});

describe('free plan', () => {
  it('returns the limits of the plan in the route and in the headers', async () => {
    const { key } = await newTenant('plan');

    const { plan, answer, of } = await budget(key);

    const { free } = planLimits;
    expect(plan).toBe('free');
    expect(of('read')).toEqual({ class: 'read', rate: 10, limit: 20, remaining: 20, reset: 0 });
    expect(of('write')).toMatchObject({ rate: free.write.rate, limit: free.write.burst });
    expect(of('ingest')).toMatchObject({ rate: free.ingest.rate, limit: free.ingest.burst });
    expect(of('bulk')).toMatchObject({ rate: free.bulk.rate, limit: free.bulk.burst });
    expect(rateLimitHeaders(answer)).toEqual({ limit: 20, remaining: 20, reset: 0 });
  });

  it('returns 413 for a batch larger than the burst, without consuming tokens', async () => {
    const { key } = await newTenant('large-batch', { ingest: { rate: 0.01, burst: 200 } });
    const events = Array.from({ length: 201 }, () => ({}));

    const refused = await call(instance.baseUrl, '/api/v1/invocations/batch', { key, body: { events } });

    expect(refused).toMatchObject({ status: 413, body: { error_code: 'PAYLOAD_TOO_LARGE' } });
    expect(rateLimitHeaders(refused)).toEqual({ limit: 200, remaining: 200, reset: 0 });
  });
});

describe('40 concurrent requests with a burst of 20', () => {
  // One token every two seconds, so that counts are reliable on a busy machine.
  const read = { rate: 0.5, burst: 20 };
  let key: string;
  let answers: Answer[];
  let seconds: number;

  beforeAll(async () => {
    ({ key } = await newTenant('parallel', { read }));
    const began = performance.now();
    answers = await Promise.all(Array.from({ length: 40 }, () => list(key)));
    seconds = (performance.now() - began) / 1_000;
  });
  const withStatus = (status: number) => answers.filter((answer) => answer.status === status);

  it('accept at most the bucket size and return 429 for the rest', () => {
    expect(withStatus(200).length).toBeGreaterThanOrEqual(20);
    expect(withStatus(200).length).toBeLessThanOrEqual(20 + Math.ceil(read.rate * seconds));
    expect(withStatus(200).length + withStatus(429).length).toBe(40);
  });

  it('count down to 0 in the headers', () => {
    const remaining = withStatus(200).map((answer) => rateLimitHeaders(answer).remaining);

    expect(answers.every((answer) => rateLimitHeaders(answer).limit === 20)).toBe(true);
    expect(Math.max(...remaining)).toBe(19);
    expect(Math.min(...remaining)).toBe(0);
  });

  it('return Retry-After in whole seconds, at least 1 and not after the reset', () => {
    for (const answer of withStatus(429)) {
      const wait = WholeNumber.parse(answer.headers.get('retry-after'));
      expect(answer.body).toMatchObject({ error_code: 'RATE_LIMITED' });
      expect(rateLimitHeaders(answer).remaining).toBe(0);
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(rateLimitHeaders(answer).reset);
    }
  });

  it('succeed again after Retry-After', async () => {
    let refused = await list(key);
    // On a busy machine a token may have come back since the last request.
    while (refused.status === 200) refused = await list(key);
    const wait = WholeNumber.parse(refused.headers.get('retry-after'));

    await sleep(wait * 1_000);
    const answer = await list(key);

    expect([refused.status, answer.status]).toEqual([429, 200]);
  });

  it('do not consume tokens of another tenant or of other classes', async () => {
    const otherTenantKey = instance.credentials.tenants[1]?.api_keys.read ?? '';

    const [otherTenant, own] = [await budget(otherTenantKey), await budget(key)];

    expect(otherTenant.of('read')).toMatchObject({ limit: 400, remaining: 400 });
    expect(own.of('write')).toMatchObject({ remaining: 10 });
    expect(own.of('read')?.remaining).toBeLessThan(20);
  });

  it('do not consume tokens of another key of the tenant', async () => {
    const tenant = await administration.show('parallel');
    if (tenant === null) throw new Error('the tenant is gone');

    const other = await administration.issueKey(tenant, 'another key');

    expect(rateLimitHeaders(await list(other))).toMatchObject({ limit: 20, remaining: 19 });
  });
});

describe('tokens per request', () => {
  const ingest = { rate: 0.01, burst: 100 };
  const remaining = async (key: string) => (await budget(key)).of('ingest')?.remaining;

  it('consumes one token per event, valid or not', async () => {
    const { key } = await newTenant('batches', { ingest });
    const events = Array.from({ length: 30 }, (_, index) => (index === 7 ? { nonsense: true } : someEvent()));

    const batch = await call(instance.baseUrl, '/api/v1/invocations/batch', { key, body: { events } });
    const single = await call(instance.baseUrl, '/api/v1/invocations', { key, body: someEvent() });

    expect([batch.status, single.status]).toEqual([202, 202]);
    expect([rateLimitHeaders(batch).remaining, rateLimitHeaders(single).remaining]).toEqual([70, 69]);
    expect(await remaining(key)).toBe(69);
  });

  it('consumes one token when the body is rejected', async () => {
    const { key } = await newTenant('refusals', { ingest });

    const answers = [
      await call(instance.baseUrl, '/api/v1/invocations', { key, body: '{' }),
      await call(instance.baseUrl, '/api/v1/invocations', { key, body: {} }),
      await call(instance.baseUrl, '/api/v1/invocations', { key, body: someEvent(), idempotencyKey: null }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 422, 400]);
    expect(answers.map((answer) => rateLimitHeaders(answer).remaining)).toEqual([99, 98, 97]);
  });

  it('consumes no token for reading the rate limit, and one for a call without the scope, which is audited', async () => {
    const { tenant } = await newTenant('free-of-charge', { ingest, read: { rate: 0.01, burst: 5 } });
    const key = await administration.issueKey(tenant, 'reads only', ['read:attribution']);

    const answers = [
      await call(instance.baseUrl, '/api/v1/invocations', { key, body: someEvent() }),
      (await budget(key)).answer,
      (await budget(key)).answer,
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 200, 200]);
    expect(answers.map(rateLimitHeaders)).toEqual([
      { limit: 100, remaining: 99, reset: 100 },
      { limit: 5, remaining: 5, reset: 0 },
      { limit: 5, remaining: 5, reset: 0 },
    ]);
  });
});

it('consumes no token for requests with a wrong secret and a known key id', async () => {
  const { key } = await newTenant('guessed', { read: { rate: 0.01, burst: 5 } });
  const keyId = parseApiKey(key)?.keyId ?? '';
  const guesses = Array.from({ length: 30 }, () => formatApiKey('test', keyId, newSecret(randomBytes)));

  const answers = await Promise.all(guesses.map(list));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  expect(answers.filter(({ headers }) => headers.has('ratelimit-remaining'))).toEqual([]);
  expect((await budget(key)).of('read')).toMatchObject({ remaining: 5 });
});

it('multiplies every limit by --rate-limit-scale', async () => {
  const dataDir = temporaryDirectory();
  // Remove the engine endpoints of the other instance, because a child process would inherit them.
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('AWS_ENDPOINT_URL')) vi.stubEnv(name, undefined);
  }
  const scaled = await spawnInstance(dataDir, ['--no-sample', '--rate-limit-scale', '0.05']);
  const key = scaled.credentials.tenants[0]?.api_keys.admin ?? '';

  const { of, answer } = await budget(key, scaled.baseUrl);
  const event = await call(scaled.baseUrl, '/api/v1/invocations', { key, body: someEvent() });
  await scaled.stop();
  vi.unstubAllEnvs();
  rmSync(dataDir, { recursive: true, force: true });

  // 5 % of the limits of the demo tenants' plan.
  expect(rateLimitHeaders(answer)).toEqual({ limit: 20, remaining: 20, reset: 0 });
  expect(of('bulk')).toMatchObject({ limit: 1 });
  expect(rateLimitHeaders(event)).toMatchObject({ limit: 1_000, remaining: 999 });
});
