import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import type { StoredEndpoint } from '../../functions/webhooks/endpoints/endpoint.store.ts';
import type { EndpointState } from '../../functions/webhooks/endpoints/endpointState.ts';
import { liveSecrets } from '../../functions/webhooks/endpoints/signature.ts';
import { newTenant } from '../budgets/rollupFixtures.ts';
import { type Fault, injectFaults } from '../credentials/faultInjection.ts';
import {
  type OperationName,
  type OperationRequest,
  startWebhooksHarness,
  type WebhooksHarness,
} from './harness.ts';

/** What a function of the harness has left, and how much longer its lease lasts. */
const LEASE = 10_000 + 2_000;
const DAY = 24 * 60 * 60 * 1_000;
const REQUEST = { url: 'https://hooks.example.com/in', events: ['budget.threshold.crossed'] };
const MOVED = 'https://other.example.com/in';

let world: WebhooksHarness;
let faults: ReturnType<typeof injectFaults>;
let tenant: Tenant;
let id: string;
let secret: string;
beforeAll(async () => {
  world = await startWebhooksHarness();
  faults = injectFaults();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world?.live.stop();
});
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
  if (found === undefined) throw new Error('the endpoint is stored');
  return found;
};
const challenge = async (): Promise<string> => world.challengeOf(await stored()) ?? '';
const verify = async () => call('verify', { body: { challenge: await challenge() } });
const setState = (standing: EndpointState) =>
  world.put(tenant, id, (endpoint) => ({ ...endpoint, state: standing, sealed_challenge: null }));
/** How many challenges were sent. */
const sent = async () => (await world.entriesOf(id)).filter(({ kind }) => kind === 'verification').length;
const actions = async () => (await world.auditOf(tenant)).map(({ action, outcome }) => [action, outcome]);

describe('a verification', () => {
  it('takes the challenge that was sent, once', async () => {
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
    ['another one', 0, async () => 'not-this-one'],
    ['one that is a day old', DAY, challenge],
  ])('is refused with %s, and leaves the endpoint pending', async (_, wait, answer) => {
    world.time.now += wait;

    const { status, body } = await call('verify', { body: { challenge: await answer() } });

    expect([status, Object(body['errors'])[0]?.pointer]).toEqual([422, '/challenge']);
    expect((await call('get')).body['status']).toBe('pending');
  });

  it('without a challenge has a new one sent, and those before are void', async () => {
    const before = await challenge();
    world.time.now += DAY;

    const { status, body } = await call('verify');

    expect([status, body['status'], await sent()]).toEqual([200, 'pending', 2]);
    expect((await call('verify', { body: { challenge: before } })).status).toBe(422);
    expect((await verify()).body['status']).toBe('verified');
  });

  it('is refused while the endpoint is disabled', async () => {
    const open = await challenge();
    await call('update', { body: { enabled: false } });

    const { body } = await call('verify', { body: { challenge: open } });

    expect(body['error_code']).toBe('CONFLICT');
  });
});

describe('a change', () => {
  it('keeps what it does not name, and the challenge that is open', async () => {
    const before = (await call('get')).body;
    const open = await challenge();

    const { body } = await call('update', { body: { events: ['anomaly.detected'], description: 'Mine' } });

    expect(body).toEqual({
      ...before,
      events: ['anomaly.detected'],
      description: 'Mine',
      updated_at: new Date(world.time.now).toISOString(),
    });
    expect([await challenge(), await sent()]).toEqual([open, 1]);
    expect((await call('update', { body: { description: null } })).body['description']).toBeNull();
  });

  it('of the URL takes a new challenge, and the same URL none', async () => {
    await verify();

    const same = await call('update', { body: { url: 'https://HOOKS.example.com:443/in' } });
    const moved = await call('update', { body: { url: MOVED } });

    expect([same.body['status'], moved.body['status'], moved.body['url']]).toEqual([
      'verified',
      'pending',
      MOVED,
    ]);
    expect(await sent()).toBe(2);
    expect((await verify()).body['status']).toBe('verified');
  });

  it('to a URL that may not be called is refused, and changes nothing', async () => {
    const before = (await call('get')).body;

    const { status, body } = await call('update', {
      body: { url: 'https://169.254.169.254/', description: 'Changed' },
    });

    expect([status, body['error_code']]).toEqual([422, 'WEBHOOK_URL_REJECTED']);
    expect((await call('get')).body).toEqual(before);
    expect((await actions()).at(-1)).toEqual(['webhook.update', 'refused']);
  });

  it('stops a verified endpoint and lets it go on without a challenge', async () => {
    await verify();

    const stopped = await call('update', { body: { enabled: false } });
    const on = await call('update', { body: { enabled: true } });

    expect(stopped.body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'admin',
      disabled_at: new Date(world.time.now).toISOString(),
    });
    expect([on.body['status'], on.body['disabled_reason'], await sent()]).toEqual(['verified', null, 1]);
  });

  it.each(['gone', 'no_success'] as const)(
    'that enables one disabled as %s takes a challenge',
    async (reason) => {
      await setState({ status: 'disabled', reason, disabled_at: '2026-05-20T12:00:00.000Z', proven: false });

      const { body } = await call('update', { body: { enabled: true } });

      expect([body['status'], await sent()]).toEqual(['pending', 2]);
      expect((await verify()).body['status']).toBe('verified');
    },
  );

  it('of the URL while it is disabled takes its challenge when it is enabled', async () => {
    await verify();
    await call('update', { body: { enabled: false } });

    const moved = await call('update', { body: { url: MOVED } });
    const sentBefore = await sent();
    const on = await call('update', { body: { enabled: true } });

    expect([moved.body['status'], sentBefore]).toEqual(['disabled', 1]);
    expect([on.body['status'], await sent()]).toEqual(['pending', 2]);
  });

  it('that enables what was never proven takes a challenge, and void is the one before', async () => {
    const before = await challenge();
    await call('update', { body: { enabled: false } });

    const { body } = await call('update', { body: { enabled: true } });

    expect([body['status'], await sent(), (await challenge()) === before]).toEqual(['pending', 2, false]);
  });
});

describe('a rotation', () => {
  const secrets = async () => liveSecrets(world.secretsOf(await stored()), world.time.now);

  it('gives a new secret, and signs with both for a day', async () => {
    const { status, body } = await call('rotate');

    const until = new Date(world.time.now + DAY).toISOString();
    expect([status, body['previous_secret_valid_until']]).toEqual([200, until]);
    expect(await secrets()).toEqual([body['signing_secret'], secret]);
    world.time.now += DAY;
    expect(await secrets()).toEqual([body['signing_secret']]);
    expect((await call('get')).body['previous_secret_valid_until']).toBeNull();
  });

  it('ends the one before at once where it has leaked', async () => {
    const { body } = await call('rotate', { body: { overlap_seconds: 0 } });

    expect(await secrets()).toEqual([body['signing_secret']]);
  });

  it('is done by each of several at once, one after the other', async () => {
    const answers = await Promise.all([call('rotate'), call('rotate'), call('rotate')]);

    const given = answers.map(({ body }) => body['signing_secret']);
    expect(new Set([...given, secret]).size).toBe(4);
    expect(given).toEqual(expect.arrayContaining([...(await secrets())]));
  });

  it('gives the same secret to whoever repeats it', async () => {
    const [first, again] = [
      await call('rotate', { key: 'one-key' }),
      await call('rotate', { key: 'one-key' }),
    ];

    expect([
      again.text,
      again.headers['Idempotency-Replayed'] ?? again.headers['idempotency-replayed'],
    ]).toEqual([first.text, 'true']);
    expect(await secrets()).toEqual([first.body['signing_secret'], secret]);
  });

  // Its lease, its effect, its response.
  const list = [0, 1, 2].flatMap((write) =>
    (['before', 'after'] as const).flatMap((moment) =>
      (['fails', 'dies'] as const).map((kind): Fault => ({ write, moment, kind })),
    ),
  );
  it.each(list)('that meets a fault and is repeated replaces one secret: %o', async (fault) => {
    const send = () => call('rotate', { key: 'one-key' });
    void faults.arm(fault);
    await send();
    faults.restart();
    // A delivery writes the endpoint meanwhile.
    await world.put(tenant, id, (endpoint) => ({ ...endpoint, description: 'Delivered to' }));
    world.time.now += LEASE;

    const { status, body, text } = await send();

    expect(status, text).toBe(200);
    expect(await secrets()).toEqual([body['signing_secret'], secret]);
  });
});

describe('the list', () => {
  it('gives every endpoint once, the newest first', async () => {
    const others = [await register(), await register(), await register()];
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query: Record<string, string> = { limit: '3', ...(cursor && { cursor }) };
      const { data, page } = Object((await world.call('list', { tenant, query })).body);
      found.push(...data.map((endpoint: { id: string }) => endpoint.id));
      cursor = page.next_cursor;
    }

    expect(found).toEqual([...others.map((made) => made.id).reverse(), id]);
  });
});

describe('a deletion', () => {
  it('ends the endpoint, and is told', async () => {
    const { status } = await call('remove');

    expect(status).toBe(204);
    expect([(await world.stored(tenant)).length, await world.countOf(tenant)]).toEqual([0, 0]);
    for (const name of ['get', 'deliveries', 'remove', 'rotate', 'verify'] satisfies OperationName[]) {
      expect((await call(name)).body['error_code']).toBe('NOT_FOUND');
    }
    expect(await actions()).toContainEqual(['webhook.delete', 'succeeded']);
  });

  it.each([0, 1, 2])('that dies at write %i and is repeated counts it out once', async (write) => {
    const send = () => call('remove', { key: 'one-key' });
    void faults.arm({ write, moment: 'after', kind: 'dies' });
    await send();
    faults.restart();
    world.time.now += LEASE;

    expect((await send()).status).toBe(204);
    expect(await world.countOf(tenant)).toBe(0);
  });
});
