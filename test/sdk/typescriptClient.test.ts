import { beforeAll, describe, expect, it } from 'vitest';
import {
  AttributionError,
  type ClientOptions,
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
type Fault = Response | 'lost' | undefined;

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

  it.each([
    ['3600', 3_600],
    ['soon', null],
  ])(
    'reports a rate limit with Retry-After %s and the time to wait, which may be unknown',
    async (text, seconds) => {
      const { client } = clientWith([failed(429, text)], { retries: 0 });
      const error = await getRateLimit(client).catch((caught: unknown) => caught);

      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ status: 429, retryAfterSeconds: seconds, attempts: 1 });
    },
  );

  it('reports an error with its code, problem and trace', async () => {
    const { client } = clientWith();
    const error = await postInvocation(client, Object({})).catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(AttributionError);
    expect(error).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
    expect(error).toHaveProperty('traceId', expect.stringMatching(/^[0-9a-f]{32}$/));
  });

  it('reads the challenge from the body, since the gateway renames the header', async () => {
    const { client } = clientWith([], { credential: { apiKey: 'unknown' } });

    await expect(getRateLimit(client)).rejects.toMatchObject({ status: 401, challenge: 'Bearer' });
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

  it('sends an event', async () => {
    const event = someEvent();
    const answer = await postInvocation(clientWith(['lost']).client, Object(event));

    expect(answer).toMatchObject({ event_id: event['event_id'], status: 'queued' });
  });
});
