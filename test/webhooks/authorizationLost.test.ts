import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEvent } from '../../functions/events/createEvent.ts';
import { toNotification } from '../../functions/notifications/notification.ts';
import { sha256Of } from '../../functions/shared/hash.ts';
import { ulidOf } from '../../functions/shared/ulid.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import type { Authorization } from '../../functions/webhooks/endpoints/authorization.ts';
import type { StoredEndpoint } from '../../functions/webhooks/endpoints/endpoint.store.ts';
import { enable } from '../../functions/webhooks/endpoints/endpointState.ts';
import { sealChallenge } from '../../functions/webhooks/endpoints/seal.ts';
import { sampleEvent } from '../../functions/webhooks/streams/sampleEvents.ts';
import { authorizationOf, byClient, byUser, storeClient, storeKey, storeUser } from './authorizing.ts';
import { KEY, messageFor } from './deliveryFixtures.ts';
import { type DeliveryHarness, startDeliveryHarness } from './deliveryHarness.ts';
import { answered } from './egressOutcomes.ts';

const ENDED = '2026-11-21T09:00:00.000Z';

let world: DeliveryHarness;
beforeAll(async () => {
  world = await startDeliveryHarness();
});
afterAll(() => world.stop());
beforeEach(() => world.reset());

/** A tenant with an endpoint that this authorization lets be sent rotated keys (admin:config). */
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
const standingOf = async (tenant: Tenant, endpoint: StoredEndpoint) =>
  (await world.endpoint(tenant, endpoint))?.state;

describe('an endpoint is sent nothing more, and is disabled,', () => {
  it.each<[string, (tenant: Tenant) => Authorization, (tenant: Tenant) => Promise<void>]>([
    ['its key was revoked', authorizationOf, (tenant) => storeKey(tenant, { revoked_at: ENDED })],
    [
      'its key was revoked after it had expired',
      authorizationOf,
      (tenant) => storeKey(tenant, { expires_at: ENDED, revoked_at: ENDED }),
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
    ['its client was deleted', byClient, (tenant) => storeClient(tenant, { deleted_at: ENDED })],
    ['its user was removed', () => byUser, (tenant) => storeUser(tenant, { removed_at: ENDED })],
    ["its user's role was lowered", () => byUser, (tenant) => storeUser(tenant, { role: 'engineer' })],
    ['another user has the address', () => byUser, (tenant) => storeUser(tenant, { user_id: 'usr_2' })],
  ])('once %s', async (_, authorization, lose) => {
    const { tenant, endpoint } = await authorized(authorization);
    await lose(tenant);
    const event = world.event(tenant);
    await world.raise(event);
    await world.pass();

    expect(world.posted).toEqual([]);
    expect(await standingOf(tenant, endpoint)).toMatchObject({
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

  it('where an earlier version stored no authorization', async () => {
    const { tenant, endpoint } = await authorized();
    await world.replace(tenant, { ...endpoint, authorized_by: null });

    await world.raise(world.event(tenant));
    await world.pass();

    expect([world.posted, (await standingOf(tenant, endpoint))?.status]).toEqual([[], 'disabled']);
  });

  it('between two attempts, and its deliveries can be replayed once somebody enables it', async () => {
    const { tenant, endpoint } = await authorized();
    world.answerWith(() => answered(500));
    const event = world.event(tenant);
    await world.raise(event);
    await world.settle();
    await storeKey(tenant, { revoked_at: ENDED });
    await world.pass();
    const attempts = world.posted.length;
    world.answerWith(() => answered(200));

    const found = await world.endpoint(tenant, endpoint);
    if (found === null) throw new Error('the endpoint is stored');
    await storeClient(tenant);
    await world.replace(tenant, {
      ...found,
      state: enable(found.state, { hash: '', valid_until: ENDED }),
      authorized_by: byClient(tenant),
    });
    await world.publishing.publishTo(endpoint, [event], { kind: 'event', replay: 'R1' });
    await world.pass();

    expect(attempts).toBe(1);
    expect(world.posted.slice(1).map(({ event: sent }) => sent.id)).toEqual([event.id]);
  });

  it('before it proves itself, and is not sent its challenge', async () => {
    const { tenant, endpoint } = await authorized();
    await storeKey(tenant, { revoked_at: ENDED });
    const at = world.time.now;
    const challenge = createEvent(
      'webhook.verification',
      { challenge: '' },
      { ulid: ulidOf(at, sha256Of('challenge')), at, tenant },
    );
    const open = { hash: '00', valid_until: '2027-01-01T00:00:00.000Z' };
    await world.replace(tenant, {
      ...endpoint,
      state: { status: 'pending', challenge: open },
      sealed_challenge: sealChallenge('challenge', endpoint.id, KEY, randomBytes),
    });
    await world.publishing.publishTo(endpoint, [challenge], { kind: 'verification' });
    await world.pass();

    expect(world.posted).toEqual([]);
    expect(await standingOf(tenant, endpoint)).toMatchObject({ reason: 'unauthorized', proven: false });
  });
});

it.each<[string, (tenant: Tenant) => Authorization, (tenant: Tenant) => Promise<void>]>([
  ['its key has expired', authorizationOf, (tenant) => storeKey(tenant, { expires_at: ENDED })],
  [
    'its key has the scopes of its events left',
    authorizationOf,
    (tenant) => storeKey(tenant, { scopes: ['webhooks:manage', 'admin:config'] }),
  ],
  ['its client is still there', byClient, (tenant) => storeClient(tenant)],
  ['its user still has the role', () => byUser, (tenant) => storeUser(tenant)],
])('an endpoint goes on being sent events while %s', async (_, authorization, change) => {
  const { tenant } = await authorized(authorization);
  await change(tenant);

  await world.raise(world.event(tenant));
  await world.pass();

  expect(world.posted).toHaveLength(1);
});

it('the other endpoints of the tenant, and its people, are told once of one that is unauthorized', async () => {
  const { tenant, endpoint } = await authorized();
  await storeClient(tenant);
  const other = await world.register(tenant, {
    events: ['webhook.disabled'],
    authorized_by: byClient(tenant),
  });
  await storeKey(tenant, { revoked_at: ENDED });

  await world.raise(world.event(tenant), world.event(tenant), world.event(tenant));
  await world.pass();

  expect(world.posted).toMatchObject([
    { url: other.url, event: { data: { endpoint_id: endpoint.id, reason: 'unauthorized' } } },
  ]);
  const [told] = world.posted;
  expect(told && toNotification(told.event)?.text).toContain(
    'authorized it may not read its events any more',
  );
});

describe('a delivery under way', () => {
  const aRecord = (tenant: Tenant) => {
    const at = world.time.now;
    return sampleEvent('attribution.materialized', {
      ulid: ulidOf(at, sha256Of(tenant.tenant_id)),
      at,
      tenant,
    });
  };

  it.each<[string, Authorization['scopes']]>([
    ['a key without the scope', ['webhooks:manage']],
    ['a key that called by a token of fewer scopes than it has', ['webhooks:manage', 'read:reporting']],
  ])('is withheld where %s has taken the endpoint over', async (_, scopes) => {
    const { tenant, endpoint } = await authorized();
    const event = aRecord(tenant);
    await world.publishing.publishTo(endpoint, [event], { kind: 'event' });
    await world.replace(tenant, {
      ...endpoint,
      url: 'https://attacker.example/',
      events: ['webhook.disabled'],
      authorized_by: { ...authorizationOf(tenant), scopes },
    });

    await world.pass();

    expect(world.posted).toEqual([]);
    expect(await standingOf(tenant, endpoint)).toEqual({ status: 'verified', failing_since: null });
    expect(await world.log(tenant, endpoint)).toMatchObject([
      { event_id: event.id, outcome: 'dead_lettered', failure: 'unauthorized' },
    ]);
  });

  it('does not disable an endpoint that was authorized anew meanwhile', async () => {
    const { tenant, endpoint } = await authorized();
    await storeKey(tenant, { revoked_at: ENDED });
    const events = [world.event(tenant), world.event(tenant)] as const;
    await world.publishing.publishTo(endpoint, events, { kind: 'event' });
    // Behind the reading of the endpoint, ahead of the commit.
    const anew = { ...endpoint, authorized_by: byClient(tenant) };
    const deliver = world.delivererOf(undefined, {
      apiKey: async () => {
        await world.replace(tenant, anew);
        return null;
      },
    });

    await deliver([messageFor(events[0], endpoint.id)]);

    expect(await standingOf(tenant, endpoint)).toEqual({ status: 'verified', failing_since: null });
  });
});
