import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256Of } from '../../../functions/shared/hash.ts';
import { ulidOf } from '../../../functions/shared/ulid.ts';
import type { Tenant } from '../../../functions/tenancy/tenant.ts';
import { sampleEvent } from '../../../functions/webhooks/streams/sampleEvents.ts';
import type { Scope } from '../../../schemas/access/scopes.ts';
import type { SubscribableEvent } from '../../../schemas/webhooks.ts';
import { newTenant } from '../../budgets/rollupFixtures.ts';
import { keyIdOf, storeKey } from '../authorizing.ts';
import {
  type OperationName,
  type OperationRequest,
  startWebhooksHarness,
  type WebhooksHarness,
} from '../harness.ts';

const URL = 'https://hooks.example.com/in';
const ELSEWHERE = 'https://other.example.com/in';
const MINUTE = 60_000;
const WEAK: readonly Scope[] = ['webhooks:manage'];
const ABLE: readonly Scope[] = ['webhooks:manage', 'read:attribution'];

let world: WebhooksHarness;
let tenant: Tenant;
/** An endpoint that subscribes to attribution records, registered by a key that may read them, and verified. */
let id: string;
beforeAll(async () => {
  world = await startWebhooksHarness();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world?.live.stop();
});
beforeEach(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  tenant = newTenant();
  await storeKey(tenant);
  id = await register(['attribution.materialized', 'webhook.disabled'], ABLE);
});
afterEach(() => vi.restoreAllMocks());

const call = (name: OperationName, scopes: readonly Scope[], sent: Omit<OperationRequest, 'tenant'> = {}) =>
  world.call(name, { tenant, id, principal: keyIdOf(tenant), ...sent }, scopes);
const register = async (events: readonly SubscribableEvent[], scopes: readonly Scope[]) => {
  const { body } = await world.call(
    'create',
    { tenant, principal: keyIdOf(tenant), body: { url: URL, events } },
    scopes,
  );
  const made = String(body['id']);
  await world.put(tenant, made, (endpoint) => ({
    ...endpoint,
    state: { status: 'verified', failing_since: null },
    sealed_challenge: null,
  }));
  world.time.now += MINUTE;
  return made;
};
const aRecord = (type: SubscribableEvent = 'attribution.materialized') => {
  const at = world.time.now - MINUTE;
  return sampleEvent(type, { ulid: ulidOf(at, sha256Of(type)), at, tenant });
};
const read = async () => (await call('get', WEAK)).body;
const refusal = { status: 403, code: 'INSUFFICIENT_SCOPE' };
const outcome = ({ status, body }: Awaited<ReturnType<typeof call>>) => ({
  status,
  code: body['error_code'],
});

describe('webhooks:manage alone', () => {
  it('cannot subscribe to attribution records, and learns which scope is missing for which types', async () => {
    const events = ['attribution.materialized', 'attribution.disputed', 'webhook.disabled'];

    const answer = await call('create', WEAK, { body: { url: URL, events } });

    expect(outcome(answer)).toEqual(refusal);
    expect(answer.body['detail']).toContain(
      'read:attribution (attribution.materialized, attribution.disputed)',
    );
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="read:attribution"',
    );
    expect(await world.countOf(tenant)).toBe(1);
  });

  it.each<[string, object]>([
    ['add a type', { events: ['attribution.materialized', 'attribution.disputed'] }],
    ['keep one of the types', { events: ['attribution.materialized'] }],
    ['move it', { url: ELSEWHERE }],
    ['name its URL again', { url: URL }],
    ['enable it', { enabled: true }],
    ['move and stop it', { url: ELSEWHERE, enabled: false }],
  ])('cannot %s on an endpoint of attribution records', async (_, body) => {
    const before = await read();

    expect(outcome(await call('update', WEAK, { body }))).toEqual(refusal);
    expect(await read()).toEqual(before);
  });

  it('cannot add attribution records to an endpoint of its own', async () => {
    id = await register(['webhook.disabled'], WEAK);

    const answer = await call('update', WEAK, { body: { events: ['attribution.materialized'] } });

    expect(outcome(answer)).toEqual(refusal);
  });

  it('cannot enable an endpoint of attribution records that was stopped', async () => {
    await call('update', WEAK, { body: { enabled: false } });

    expect(outcome(await call('update', WEAK, { body: { enabled: true } }))).toEqual(refusal);
    expect((await read())['status']).toBe('disabled');
  });

  it('can stop, describe and delete an endpoint of attribution records', async () => {
    const described = await call('update', WEAK, { body: { description: 'Leaks' } });
    const stopped = await call('update', WEAK, { body: { enabled: false } });
    const deleted = await call('remove', WEAK);

    expect([described.status, stopped.status, deleted.status]).toEqual([200, 200, 204]);
  });

  it('is not given the secret that signs attribution records', async () => {
    const before = (await world.stored(tenant)).map(({ sealed_secrets }) => sealed_secrets);

    expect(outcome(await call('rotate', WEAK, { body: {} }))).toEqual(refusal);
    expect((await world.stored(tenant)).map(({ sealed_secrets }) => sealed_secrets)).toEqual(before);
  });

  it('cannot replay an attribution record, nor a stretch of them', async () => {
    const event = aRecord();
    await world.raise([event]);
    const stretch = { from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00Z' };
    const own = await register(['webhook.disabled'], WEAK);

    const answers = [
      await call('replay', WEAK, { body: { event_id: event.id } }),
      await call('replay', WEAK, { body: stretch }),
      await call('replay', WEAK, { id: own, body: { event_id: event.id } }),
    ];

    expect(answers.map(outcome)).toEqual([refusal, refusal, refusal]);
    expect([await world.entriesOf(id), await world.entriesOf(own)].flat()).not.toContainEqual(
      expect.objectContaining({ kind: 'event' }),
    );
  });

  it('is shown attempts at events that it may read, and no others', async () => {
    const at = new Date(world.time.now).toISOString();
    const attempt = (event_type: string, index: number) => ({
      id: `dlv_${tenant.tag}${ulidOf(world.time.now - index, sha256Of(event_type))}`,
      endpoint_id: id,
      event_id: 'evt_1',
      event_type,
      sequence: 2,
      attempt: 1,
      attempted_at: at,
      latency_ms: 1,
      response_status: 200,
      outcome: 'acknowledged' as const,
      failure: null,
      next_attempt_at: null,
      test: false,
      replayed: false,
      retained_until: at,
    });
    await world.log(
      tenant,
      ['webhook.disabled', 'attribution.materialized', 'of.a.later.version'].map(attempt),
    );
    const typesFor = async (scopes: readonly Scope[]) =>
      Object((await call('deliveries', scopes)).body).data.map(
        ({ event_type }: { event_type: string }) => event_type,
      );

    expect(await typesFor(WEAK)).toEqual(['webhook.disabled']);
    expect(await typesFor(ABLE)).toEqual(['webhook.disabled', 'attribution.materialized']);
  });
});

describe('a replay', () => {
  it('is refused where whoever authorized the endpoint may not read the event', async () => {
    const own = await register(['webhook.disabled'], WEAK);
    const event = aRecord();
    await world.raise([event]);

    const refused = await call('replay', ABLE, { id: own, body: { event_id: event.id } });
    const admitted = await call('replay', ABLE, { body: { event_id: event.id } });

    expect([outcome(refused), admitted.status]).toEqual([{ status: 409, code: 'CONFLICT' }, 202]);
  });

  it('is refused once the key that authorized the endpoint was revoked', async () => {
    const event = aRecord('webhook.disabled');
    await world.raise([event]);
    await storeKey(tenant, { revoked_at: '2026-05-20T12:00:00.000Z' });

    const answer = await call('replay', ABLE, { body: { event_id: event.id } });

    expect(outcome(answer)).toEqual({ status: 409, code: 'CONFLICT' });
  });
});

describe('whoever may read the events', () => {
  it.each<[string, object]>([
    ['the URL', { url: ELSEWHERE }],
    ['the types', { events: ['attribution.disputed'] }],
    ['the standing', { enabled: true }],
  ])('authorizes the endpoint by a change of %s', async (_, body) => {
    const { body: after } = await call('update', ABLE, { principal: 'key_2', body });

    expect([after['created_by'], after['authorized_by']]).toEqual([keyIdOf(tenant), 'key_2']);
  });

  it.each<[string, object]>([
    ['the description', { description: 'Mine' }],
    ['stopping it', { enabled: false }],
  ])('does not authorize it by %s', async (_, body) => {
    const { body: after } = await call('update', ABLE, { principal: 'key_2', body });

    expect(after['authorized_by']).toBe(keyIdOf(tenant));
  });
});
