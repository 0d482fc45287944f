import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoredEndpoint } from '../../../functions/delivery/webhooks/endpoints/endpoint.store.ts';
import type { EndpointState } from '../../../functions/delivery/webhooks/endpoints/endpointState.ts';
import { liveSecrets } from '../../../functions/delivery/webhooks/endpoints/signature.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { newTenant } from '../../support/tenants.ts';
import { type OperationName, type OperationRequest, startWebhooksHarness } from './harness.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const REQUEST = { url: 'https://hooks.example.com/in', events: ['budget.threshold.crossed'] };
const MOVED = 'https://other.example.com/in';

let tenant: Tenant;
let id: string;
let secret: string;
const world = await startWebhooksHarness();
afterAll(() => world.live.stop());
beforeEach(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  tenant = newTenant();
  ({ id, secret } = await register());
  world.time.now += 1_000;
});
afterEach(() => vi.restoreAllMocks());

const call = (name: OperationName, sent: Omit<OperationRequest, 'tenant'> = {}) =>
  world.call(name, { tenant, id, ...sent });
const register = async () => {
  world.time.now += 1;
  const { status, body, text } = await world.call('create', { tenant, body: REQUEST });
  expect(status, text).toBe(201);
  return { id: String(body['id']), secret: String(body['signing_secret']) };
};
const stored = async (): Promise<StoredEndpoint> => {
  const found = (await world.stored(tenant)).find((endpoint) => endpoint.id === id);
  if (found === undefined) throw new Error('the endpoint is not stored');
  return found;
};
const challenge = async (): Promise<string> => world.challengeOf(await stored()) ?? '';
const verify = async () => call('verify', { body: { challenge: await challenge() } });
const setState = (state: EndpointState) =>
  world.put(tenant, id, (endpoint) => ({ ...endpoint, state, sealed_challenge: null }));
/** The number of challenges in the stream of the endpoint. */
const challengeCount = async () =>
  (await world.entriesOf(id)).filter(({ kind }) => kind === 'verification').length;
const actions = async () => (await world.auditOf(tenant)).map(({ action, outcome }) => [action, outcome]);

describe('POST /webhooks/{id}/verify', () => {
  it('verifies the endpoint with the challenge that was sent, and returns 409 afterwards', async () => {
    const answer = await verify();

    expect([answer.status, answer.body['status'], answer.body['challenge_valid_until']]).toEqual([
      200,
      'verified',
      null,
    ]);
    expect(await challenge()).toBe('');
    world.time.now += 1;
    const again = await call('verify', { body: { challenge: 'any' } });
    expect([again.status, again.body['error_code']]).toEqual([409, 'CONFLICT']);
    expect(await actions()).toEqual([
      ['webhook.create', 'succeeded'],
      ['webhook.verify', 'succeeded'],
      ['webhook.verify', 'refused'],
    ]);
  });

  it.each([
    ['a wrong challenge', 0, async () => 'not-this-one'],
    ['a challenge that is a day old', DAY_MS, challenge],
  ])('returns 422 for %s and keeps the endpoint pending', async (_, wait, answer) => {
    world.time.now += wait;

    const { status, body } = await call('verify', { body: { challenge: await answer() } });

    expect([status, Object(body['errors'])[0]?.pointer]).toEqual([422, '/challenge']);
    expect((await call('get')).body['status']).toBe('pending');
  });

  it('sends a new challenge and voids earlier ones when the body has none', async () => {
    const before = await challenge();
    world.time.now += DAY_MS;

    const { status, body } = await call('verify');

    expect([status, body['status'], await challengeCount()]).toEqual([200, 'pending', 2]);
    expect((await call('verify', { body: { challenge: before } })).status).toBe(422);
    expect((await verify()).body['status']).toBe('verified');
  });

  it('returns 429 after five challenges of an endpoint in an hour, and sends none', async () => {
    const codes: number[] = [];
    for (let request = 0; request < 10; request += 1) {
      world.time.now += 1;
      codes.push((await call('verify')).status);
    }
    const refused = await call('verify');

    // The registration has sent the first challenge.
    expect(codes).toEqual([200, 200, 200, 200, 429, 429, 429, 429, 429, 429]);
    expect([refused.body['error_code'], refused.headers['retry-after']]).toEqual(['RATE_LIMITED', '719']);
    expect(await challengeCount()).toBe(5);
    expect((await verify()).body['status']).toBe('verified');
    world.time.now += 720_000;
    expect((await call('update', { body: { url: MOVED } })).body['status']).toBe('pending');
    expect((await call('update', { body: { url: REQUEST.url } })).status).toBe(429);
    expect((await call('update', { body: { url: MOVED } })).status).toBe(200);
  });

  it('returns 429 after thirty challenges of a tenant in an hour, also for endpoints that were deleted', async () => {
    const statuses: number[] = [];
    for (let endpoint = 0; endpoint < 32; endpoint += 1) {
      world.time.now += 1;
      const { status, body } = await world.call('create', { tenant, body: REQUEST });
      if (status === 201) await call('remove', { id: String(body['id']) });
      statuses.push(status);
    }

    expect(statuses.indexOf(429)).toBe(29);
    const other = await world.call('create', { tenant: newTenant(), body: REQUEST });
    expect(other.status).toBe(201);
  });

  it('returns CONFLICT while the endpoint is disabled', async () => {
    const open = await challenge();
    await call('update', { body: { enabled: false } });

    const { body } = await call('verify', { body: { challenge: open } });

    expect(body['error_code']).toBe('CONFLICT');
  });
});

describe('PATCH /webhooks/{id}', () => {
  it('keeps omitted members and the open challenge', async () => {
    const before = (await call('get')).body;
    const open = await challenge();

    const { body } = await call('update', { body: { events: ['anomaly.detected'], description: 'Mine' } });

    expect(body).toEqual({
      ...before,
      events: ['anomaly.detected'],
      description: 'Mine',
      updated_at: new Date(world.time.now).toISOString(),
    });
    expect([await challenge(), await challengeCount()]).toEqual([open, 1]);
    expect((await call('update', { body: { description: null } })).body['description']).toBeNull();
  });

  it('sends a new challenge when the URL changes, but not when it stays the same', async () => {
    await verify();

    const same = await call('update', { body: { url: 'https://HOOKS.example.com:443/in' } });
    const moved = await call('update', { body: { url: MOVED } });

    expect([same.body['status'], moved.body['status'], moved.body['url']]).toEqual([
      'verified',
      'pending',
      MOVED,
    ]);
    expect(await challengeCount()).toBe(2);
    expect((await verify()).body['status']).toBe('verified');
  });

  it('returns 422 and changes nothing when the new URL is not allowed', async () => {
    const before = (await call('get')).body;

    const { status, body } = await call('update', {
      body: { url: 'https://169.254.169.254/', description: 'Changed' },
    });

    expect([status, body['error_code']]).toEqual([422, 'WEBHOOK_URL_REJECTED']);
    expect((await call('get')).body).toEqual(before);
    expect((await actions()).at(-1)).toEqual(['webhook.update', 'refused']);
  });

  it('disables a verified endpoint and enables it again without a challenge', async () => {
    await verify();

    const stopped = await call('update', { body: { enabled: false } });
    const on = await call('update', { body: { enabled: true } });

    expect(stopped.body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'admin',
      disabled_at: new Date(world.time.now).toISOString(),
    });
    expect([on.body['status'], on.body['disabled_reason'], await challengeCount()]).toEqual([
      'verified',
      null,
      1,
    ]);
  });

  it.each(['gone', 'no_success'] as const)(
    'sends a challenge when it enables an endpoint that was disabled as %s',
    async (reason) => {
      await setState({ status: 'disabled', reason, disabled_at: '2026-05-20T12:00:00.000Z', proven: false });

      const { body } = await call('update', { body: { enabled: true } });

      expect([body['status'], await challengeCount()]).toEqual(['pending', 2]);
      expect((await verify()).body['status']).toBe('verified');
    },
  );

  it('defers the challenge for a new URL until a disabled endpoint is enabled', async () => {
    await verify();
    await call('update', { body: { enabled: false } });

    const moved = await call('update', { body: { url: MOVED } });
    const countBefore = await challengeCount();
    const on = await call('update', { body: { enabled: true } });

    expect([moved.body['status'], countBefore]).toEqual(['disabled', 1]);
    expect([on.body['status'], await challengeCount()]).toEqual(['pending', 2]);
  });

  it('sends a new challenge when it enables an endpoint that was never verified', async () => {
    const before = await challenge();
    await call('update', { body: { enabled: false } });

    const { body } = await call('update', { body: { enabled: true } });

    expect([body['status'], await challengeCount(), (await challenge()) === before]).toEqual([
      'pending',
      2,
      false,
    ]);
  });
});

describe('POST /webhooks/{id}/rotate-secret', () => {
  const secrets = async () => liveSecrets(world.secretsOf(await stored()), world.time.now);

  it('returns a new secret and signs with both secrets for a day', async () => {
    const { status, body } = await call('rotate');

    const until = new Date(world.time.now + DAY_MS).toISOString();
    expect([status, body['previous_secret_valid_until']]).toEqual([200, until]);
    expect(await secrets()).toEqual([body['signing_secret'], secret]);
    world.time.now += DAY_MS;
    expect(await secrets()).toEqual([body['signing_secret']]);
    expect((await call('get')).body['previous_secret_valid_until']).toBeNull();
  });

  it('ends the previous secret at once when the overlap is 0', async () => {
    const { body } = await call('rotate', { body: { overlap_seconds: 0 } });

    expect(await secrets()).toEqual([body['signing_secret']]);
  });

  it('rotates once for each of several concurrent calls', async () => {
    const answers = await Promise.all([call('rotate'), call('rotate'), call('rotate')]);

    const given = answers.map(({ body }) => body['signing_secret']);
    expect(new Set([...given, secret]).size).toBe(4);
    expect(given).toEqual(expect.arrayContaining([...(await secrets())]));
  });
});

describe('GET /webhooks', () => {
  it('returns every endpoint once, newest first', async () => {
    const others = [await register(), await register(), await register()];
    const listed: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query: Record<string, string> = { limit: '3', ...(cursor && { cursor }) };
      const { data, page } = Object((await world.call('list', { tenant, query })).body);
      listed.push(...data.map((endpoint: { id: string }) => endpoint.id));
      cursor = page.next_cursor;
    }

    expect(listed).toEqual([...others.map((other) => other.id).reverse(), id]);
  });
});

describe('DELETE /webhooks/{id}', () => {
  it('deletes the endpoint and writes an audit entry', async () => {
    const { status } = await call('remove');

    expect(status).toBe(204);
    expect([(await world.stored(tenant)).length, await world.countOf(tenant)]).toEqual([0, 0]);
    for (const name of ['get', 'deliveries', 'remove', 'rotate', 'verify'] satisfies OperationName[]) {
      expect((await call(name)).body['error_code']).toBe('NOT_FOUND');
    }
    expect(await actions()).toContainEqual(['webhook.delete', 'succeeded']);
  });
});
