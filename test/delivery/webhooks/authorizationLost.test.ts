import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { toNotification } from '../../../functions/delivery/notifications/notification.ts';
import type { StoredEndpoint } from '../../../functions/delivery/webhooks/endpoints/endpoint.store.ts';
import { enable } from '../../../functions/delivery/webhooks/endpoints/endpointState.ts';
import { sealChallenge } from '../../../functions/delivery/webhooks/endpoints/seal.ts';
import { sampleEvent } from '../../../functions/delivery/webhooks/streams/sampleEvents.ts';
import { createEvent } from '../../../functions/platform/outbox/createEvent.ts';
import { sha256Of } from '../../../functions/platform/shared/hash.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import type { Authorization } from '../../../functions/platform/tenancy/authorization.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { authorizationOf, byClient, byUser, storeClient, storeKey, storeUser } from './authorizing.ts';
import { KEY, messageFor } from './deliveryFixtures.ts';
import { startDeliveryHarness } from './deliveryHarness.ts';
import { answered } from './egressOutcomes.ts';

const PAST = '2026-11-21T09:00:00.000Z';

const world = await startDeliveryHarness();
afterAll(() => world.stop());
beforeEach(() => world.reset());

/** A tenant with an endpoint that subscribes to apikey.rotated (admin:config) under this authorization. */
const authorized = async (authorization: (tenant: Tenant) => Authorization = authorizationOf) => {
  const tenant = world.newTenant();
  await storeKey(tenant);
  await storeClient(tenant);
  await storeUser(tenant);
  const endpoint = await world.register(tenant, {
    events: ['apikey.rotated'],
    authorized_by: authorization(tenant),
  });
  return { tenant, endpoint };
};
const stateOf = async (tenant: Tenant, endpoint: StoredEndpoint) =>
  (await world.endpoint(tenant, endpoint))?.state;

describe('an endpoint is disabled and receives nothing more', () => {
  it.each<[string, (tenant: Tenant) => Authorization, (tenant: Tenant) => Promise<void>]>([
    ['its key was revoked', authorizationOf, (tenant) => storeKey(tenant, { revoked_at: PAST })],
    [
      'its key was revoked after it had expired',
      authorizationOf,
      (tenant) => storeKey(tenant, { expires_at: PAST, revoked_at: PAST }),
    ],
    [
      'its key lost the scope',
      authorizationOf,
      (tenant) => storeKey(tenant, { scopes: ['webhooks:manage'] }),
    ],
    [
      'its key lost webhooks:manage',
      authorizationOf,
      (tenant) => storeKey(tenant, { scopes: ['admin:config'] }),
    ],
    ['its client was deleted', byClient, (tenant) => storeClient(tenant, { deleted_at: PAST })],
    ['its user was removed', () => byUser, (tenant) => storeUser(tenant, { removed_at: PAST })],
    ["its user's role was lowered", () => byUser, (tenant) => storeUser(tenant, { role: 'engineer' })],
    ['another user has the address', () => byUser, (tenant) => storeUser(tenant, { user_id: 'usr_2' })],
  ])('once %s', async (_, authorization, revoke) => {
    const { tenant, endpoint } = await authorized(authorization);
    await revoke(tenant);
    const event = world.event(tenant);
    await world.raise(event);
    await world.pass();

    expect(world.posted).toEqual([]);
    expect(await stateOf(tenant, endpoint)).toMatchObject({
      status: 'disabled',
      reason: 'unauthorized',
      proven: true,
    });
    expect(await world.log(tenant, endpoint)).toMatchObject([
      {
        event_id: event.id,
        outcome: 'dead_lettered',
        failure: 'unauthorized',
        response_status: null,
        next_attempt_at: null,
      },
    ]);
  });

  it('when an earlier version stored no authorization', async () => {
    const { tenant, endpoint } = await authorized();
    await world.replace(tenant, { ...endpoint, authorized_by: null });

    await world.raise(world.event(tenant));
    await world.pass();

    expect([world.posted, (await stateOf(tenant, endpoint))?.status]).toEqual([[], 'disabled']);
  });

  it('between two attempts, and its deliveries can be replayed after it is enabled', async () => {
    const { tenant, endpoint } = await authorized();
    world.answerWith(() => answered(500));
    const event = world.event(tenant);
    await world.raise(event);
    await world.settle();
    await storeKey(tenant, { revoked_at: PAST });
    await world.pass();
    const attempts = world.posted.length;
    world.answerWith(() => answered(200));

    const found = await world.endpoint(tenant, endpoint);
    if (found === null) throw new Error('the endpoint is stored');
    await storeClient(tenant);
    await world.replace(tenant, {
      ...found,
      state: enable(found.state, { hash: '', valid_until: PAST }),
      authorized_by: byClient(tenant),
    });
    await world.publishing.publishTo(endpoint, [event], { kind: 'event', replay: 'R1' });
    await world.pass();

    expect(attempts).toBe(1);
    expect(world.posted.slice(1).map(({ event: sent }) => sent.id)).toEqual([event.id]);
  });

  it('while it is pending, before its challenge is sent', async () => {
    const { tenant, endpoint } = await authorized();
    await storeKey(tenant, { revoked_at: PAST });
    const at = world.time.now;
    const challenge = createEvent(
      'webhook.verification',
      { challenge: '' },
      { ulid: ulidOf(at, sha256Of('challenge')), at, tenant },
    );
    const open = { hash: '00', valid_until: new Date(at + 24 * 60 * 60 * 1_000).toISOString() };
    await world.replace(tenant, {
      ...endpoint,
      state: { status: 'pending', challenge: open },
      sealed_challenge: sealChallenge('challenge', endpoint.id, KEY, randomBytes),
    });
    await world.publishing.publishTo(endpoint, [challenge], { kind: 'verification' });
    await world.pass();

    expect(world.posted).toEqual([]);
    expect(await stateOf(tenant, endpoint)).toMatchObject({ reason: 'unauthorized', proven: false });
  });
});

it.each<[string, (tenant: Tenant) => Authorization, (tenant: Tenant) => Promise<void>]>([
  ['its key has expired', authorizationOf, (tenant) => storeKey(tenant, { expires_at: PAST })],
  [
    'its key still has the scopes of its events',
    authorizationOf,
    (tenant) => storeKey(tenant, { scopes: ['webhooks:manage', 'admin:config'] }),
  ],
  ['its client still exists', byClient, (tenant) => storeClient(tenant)],
  ['its user still has the role', () => byUser, (tenant) => storeUser(tenant)],
])('an endpoint keeps receiving events while %s', async (_, authorization, change) => {
  const { tenant } = await authorized(authorization);
  await change(tenant);

  await world.raise(world.event(tenant));
  await world.pass();

  expect(world.posted).toHaveLength(1);
});

it('sends webhook.disabled once to the other endpoints and makes one notification when an endpoint loses its authorization', async () => {
  const { tenant, endpoint } = await authorized();
  await storeClient(tenant);
  const other = await world.register(tenant, {
    events: ['webhook.disabled'],
    authorized_by: byClient(tenant),
  });
  await storeKey(tenant, { revoked_at: PAST });

  await world.raise(world.event(tenant), world.event(tenant), world.event(tenant));
  await world.pass();

  expect(world.posted).toMatchObject([
    { url: other.url, event: { data: { endpoint_id: endpoint.id, reason: 'unauthorized' } } },
  ]);
  const [disabled] = world.posted;
  expect(disabled && toNotification(disabled.event)?.text).toContain(
    'authorized it may no longer read its events',
  );
});

describe('a delivery in progress', () => {
  const recordEvent = (tenant: Tenant) => {
    const at = world.time.now;
    return sampleEvent('attribution.materialized', {
      ulid: ulidOf(at, sha256Of(tenant.tenant_id)),
      at,
      tenant,
    });
  };

  it.each<[string, Authorization['scopes']]>([
    ['a key without the scope', ['webhooks:manage']],
    ['a key whose token has fewer scopes than the key', ['webhooks:manage', 'read:reporting']],
  ])('is withheld when the endpoint is now authorized by %s', async (_, scopes) => {
    const { tenant, endpoint } = await authorized();
    const event = recordEvent(tenant);
    await world.publishing.publishTo(endpoint, [event], { kind: 'event' });
    await world.replace(tenant, {
      ...endpoint,
      url: 'https://attacker.example/',
      events: ['webhook.disabled'],
      authorized_by: { ...authorizationOf(tenant), scopes },
    });

    await world.pass();

    expect(world.posted).toEqual([]);
    expect(await stateOf(tenant, endpoint)).toEqual({ status: 'verified', failing_since: null });
    expect(await world.log(tenant, endpoint)).toMatchObject([
      { event_id: event.id, outcome: 'dead_lettered', failure: 'unauthorized' },
    ]);
  });

  it('does not disable an endpoint that was authorized again in the meantime', async () => {
    const { tenant, endpoint } = await authorized();
    await storeKey(tenant, { revoked_at: PAST });
    const events = [world.event(tenant), world.event(tenant)] as const;
    await world.publishing.publishTo(endpoint, events, { kind: 'event' });
    // Changes the authorization after the worker has read the endpoint and before it commits.
    const reauthorized = { ...endpoint, authorized_by: byClient(tenant) };
    const deliver = world.delivererOf(undefined, {
      apiKey: async () => {
        await world.replace(tenant, reauthorized);
        return null;
      },
    });

    await deliver([messageFor(events[0], endpoint.id)]);

    expect(await stateOf(tenant, endpoint)).toEqual({ status: 'verified', failing_since: null });
  });
});
