import { beforeAll, describe, expect, it } from 'vitest';
import {
  AttributionError,
  type ClientOptions,
  ConnectionError,
  createBudget,
  createClient,
  deleteBudget,
  getRateLimit,
  getUsageReport,
  listBudgets,
  postInvocation,
  RateLimitError,
} from '../../sdk/typescript/src/index.ts';
import { someEvent } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

let instance: Instance;
let apiKey: string;
let oauth: { client_id: string; client_secret: string };

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme } = demoTenants(instance.credentials);
  apiKey = acme.api_keys.admin;
  oauth = acme.oauth_client;
});

/** Answers instead of the service, or loses its answer (`lost`). Undefined lets the request pass. */
type Fault = Response | 'lost' | 'refused' | undefined;

/** A client whose requests have faults, one for each request. */
const clientWith = (faults: readonly Fault[] = [], options: Partial<ClientOptions> = {}) => {
  const sent: { url: string; key: string | null; credential: string | null }[] = [];
  const rest = [...faults];
  const client = createClient({
    baseUrl: instance.baseUrl,
    credential: { apiKey },
    ...options,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      sent.push({
        url: String(input),
        key: headers.get('idempotency-key'),
        credential: headers.get('authorization'),
      });
      const fault = rest.shift();
      if (fault instanceof Response) return fault;
      if (fault === 'refused') throw new TypeError('fetch failed');
      const response = await fetch(input, init);
      if (fault === 'lost') throw new TypeError('fetch failed');
      return response;
    },
  });
  return { client, sent };
};

const failed = (status: number, retryAfter = '0', body: object = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'retry-after': retryAfter } });

const budget = () => ({ name: `Budget ${crypto.randomUUID()}`, ceiling_usd: '10', period: 'month' as const });

const namesOf = async (name: string): Promise<number> => {
  let count = 0;
  for await (const found of listBudgets(clientWith().client)) if (found.name === name) count += 1;
  return count;
};

describe('the TypeScript client', () => {
  it('creates one budget when the first answer is lost, with one Idempotency-Key', async () => {
    const { client, sent } = clientWith(['lost']);
    const body = budget();
    const { id } = await createBudget(client, body);

    expect(sent).toHaveLength(2);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(await namesOf(body.name)).toBe(1);
    await deleteBudget(client, id);
    expect(sent.at(-1)?.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([408, 429, 502, 503, 504])('repeats a request after %d', async (status) => {
    const { client, sent } = clientWith([failed(status)]);

    expect(await getRateLimit(client)).toHaveProperty('plan');
    expect(sent).toHaveLength(2);
  });

  it('repeats a request after a failed connection', async () => {
    const { client, sent } = clientWith(['refused']);

    expect(await getRateLimit(client)).toHaveProperty('plan');
    expect(sent).toHaveLength(2);
  });

  it('repeats a mutation that is still in progress', async () => {
    const { client, sent } = clientWith([failed(409, '0', { error_code: 'IDEMPOTENCY_IN_PROGRESS' })]);

    await deleteBudget(client, (await createBudget(client, budget())).id);

    expect(sent).toHaveLength(3);
  });

  it('repeats a request after a failure of the service, which asks for it', async () => {
    const { client, sent } = clientWith([failed(500, '0', { error_code: 'INTERNAL_ERROR' })]);

    expect(await getRateLimit(client)).toHaveProperty('plan');
    expect(sent).toHaveLength(2);
  });

  it.each([400, 403, 404, 422, 500])('does not repeat a request after %d', async (status) => {
    const { client, sent } = clientWith([failed(status)]);

    await expect(getRateLimit(client)).rejects.toMatchObject({
      name: 'AttributionError',
      status,
      attempts: 1,
    });
    expect(sent).toHaveLength(1);
  });

  it('waits for Retry-After before a repetition', async () => {
    const { client } = clientWith([failed(503, '1')]);
    const start = performance.now();

    await getRateLimit(client);

    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
  });

  it.each([
    ['an HTTP date', () => new Date(Date.now() + 3_600_000).toUTCString(), 1],
    ['a date that has passed', () => 'Wed, 21 Oct 2015 07:28:00 GMT', 2],
    ['a negative number', () => '-5', 2],
    ['no time', () => 'soon', 2],
  ])('reads %s in Retry-After', async (_, header, requests) => {
    const { client, sent } = clientWith([failed(503, header())]);

    await getRateLimit(client).catch((error: unknown) => error);

    expect(sent).toHaveLength(requests);
  });

  it('reports a rate limit with the time to wait, and at once if that is too long', async () => {
    const { client, sent } = clientWith([failed(429, '3600')]);
    const error = await getRateLimit(client).catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, retryAfterSeconds: 3_600, attempts: 1 });
    expect(sent).toHaveLength(1);
  });

  it('reports an error with its code, problem and trace', async () => {
    const { client } = clientWith();
    const error = await postInvocation(client, Object({})).catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(AttributionError);
    expect(error).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
    expect(error).toHaveProperty('traceId', expect.stringMatching(/^[0-9a-f]{32}$/));
  });

  it.each([
    ['the gateway', { message: 'Internal Server Error' }, 'HTTP status 500: Internal Server Error'],
    ['a proxy', [], 'HTTP status 500'],
  ])('reports an error of %s, which has no problem document', async (_, body, message) => {
    const { client } = clientWith([failed(500, '0', body)]);

    await expect(getRateLimit(client)).rejects.toMatchObject({
      message,
      code: undefined,
      traceId: undefined,
    });
  });

  it('reads the challenge from the body, since the gateway renames the header', async () => {
    const { client } = clientWith([], { credential: { apiKey: 'unknown' } });

    await expect(getRateLimit(client)).rejects.toMatchObject({ status: 401, challenge: 'Bearer' });
  });

  it('reports a lost connection after all retries', async () => {
    const { client, sent } = clientWith(['refused', 'refused'], { retries: 1 });

    await expect(getRateLimit(client)).rejects.toBeInstanceOf(ConnectionError);
    expect(sent).toHaveLength(2);
  });

  it('reads a collection as a page, and iterates over the records of all pages through faults', async () => {
    const { client } = clientWith();
    const created = await Promise.all([1, 2, 3].map(() => createBudget(client, budget())));
    const faulty = clientWith([undefined, failed(503)]);
    const ids: string[] = [];
    for await (const { id } of listBudgets(faulty.client, { limit: 1 })) ids.push(id);

    expect((await listBudgets(client, { limit: 1 })).data).toHaveLength(1);
    expect(ids).toEqual(expect.arrayContaining(created.map(({ id }) => id)));
    await Promise.all(created.map(({ id }) => deleteBudget(client, id)));
  });

  it.each([
    ['a period of no length', { from: '2026-11-25', to: '2026-11-25' }],
    ['several values where one is expected', { provider: ['openai', 'anthropic'] }],
    ['an empty list', { 'provider[in]': [] }],
  ])('reports a refusal for %s instead of a sum of zero', async (_, query: object) => {
    const { client } = clientWith();

    await expect(getUsageReport(client, query)).rejects.toMatchObject({ status: 400 });
  });

  it('gets one token for parallel calls of an OAuth client', async () => {
    const { client, sent } = clientWith([], {
      credential: { clientId: oauth.client_id, clientSecret: oauth.client_secret },
    });

    await Promise.all([1, 2, 3].map(() => getRateLimit(client)));

    expect(sent.filter(({ url }) => url.endsWith('/v1/oauth/token'))).toHaveLength(1);
  });

  it.each(['expired_token', 'invalid_credential'])(
    'gets a new token when the service refuses one with the reason %s',
    async (reason) => {
      const refused = failed(401, '0', { error_code: 'INVALID_CREDENTIALS', reason });
      const { client, sent } = clientWith([undefined, refused], {
        credential: { clientId: oauth.client_id, clientSecret: oauth.client_secret },
      });

      expect(await getRateLimit(client)).toHaveProperty('plan');
      expect(sent.filter(({ url }) => url.endsWith('/v1/oauth/token'))).toHaveLength(2);
    },
  );

  it('ends a call and its waiting when the caller aborts', async () => {
    const { client, sent } = clientWith([failed(503, '30')]);
    const abort = new AbortController();
    const call = getRateLimit(client, { signal: abort.signal });
    await expect.poll(() => sent.length).toBe(1);
    abort.abort(new Error('no longer needed'));

    await expect(call).rejects.toThrow('no longer needed');
  });

  it('ends an attempt after its time-out', async () => {
    const hanging: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    const { client } = clientWith([], { timeoutMs: 20, retries: 0 });

    await expect(getRateLimit({ ...client, fetch: hanging })).rejects.toBeInstanceOf(ConnectionError);
  });

  it('sends an event', async () => {
    const event = someEvent();
    const answer = await postInvocation(clientWith(['lost']).client, Object(event));

    expect(answer).toMatchObject({ event_id: event['event_id'], status: 'queued' });
  });
});
