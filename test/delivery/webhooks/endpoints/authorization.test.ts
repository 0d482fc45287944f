import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleEvent } from '../../../../functions/delivery/webhooks/streams/sampleEvents.ts';
import { sha256Of } from '../../../../functions/platform/shared/hash.ts';
import { ulidOf } from '../../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import type { SubscribableEvent } from '../../../../schemas/delivery/webhooks.ts';
import type { Scope } from '../../../../schemas/identity/scopes.ts';
import { newTenant } from '../../../support/tenants.ts';
import { keyIdOf, storeKey } from '../authorizing.ts';
import { type OperationName, type OperationRequest, startWebhooksHarness } from '../harness.ts';

const URL = 'https://hooks.example.com/in';
const ELSEWHERE = 'https://other.example.com/in';
const MINUTE = 60_000;
const INSUFFICIENT: readonly Scope[] = ['webhooks:manage'];
const SUFFICIENT: readonly Scope[] = ['webhooks:manage', 'read:attribution'];

let tenant: Tenant;
/** An endpoint that subscribes to attribution records, registered by a key that may read them, and verified. */
let id: string;
const world = await startWebhooksHarness();
afterAll(() => world.live.stop());
beforeEach(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  tenant = newTenant();
  await storeKey(tenant);
  id = await register(['attribution.materialized', 'webhook.disabled'], SUFFICIENT);
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
const read = async () => (await call('get', INSUFFICIENT)).body;
const refusal = { status: 403, code: 'INSUFFICIENT_SCOPE' };
const outcome = ({ status, body }: Awaited<ReturnType<typeof call>>) => ({
  status,
  code: body['error_code'],
});

describe('a caller with only webhooks:manage', () => {
  it('gets 403 with the missing scope and its types when it subscribes to attribution records', async () => {
    const events = ['attribution.materialized', 'attribution.disputed', 'webhook.disabled'];

    const answer = await call('create', INSUFFICIENT, { body: { url: URL, events } });

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
    ['change the URL', { url: ELSEWHERE }],
    ['set the same URL', { url: URL }],
    ['enable it', { enabled: true }],
    ['change the URL and disable it', { url: ELSEWHERE, enabled: false }],
  ])('cannot %s of an endpoint for attribution records', async (_, body) => {
    const before = await read();

    expect(outcome(await call('update', INSUFFICIENT, { body }))).toEqual(refusal);
    expect(await read()).toEqual(before);
  });

  it('cannot add attribution records to an endpoint of its own', async () => {
    id = await register(['webhook.disabled'], INSUFFICIENT);

    const answer = await call('update', INSUFFICIENT, { body: { events: ['attribution.materialized'] } });

    expect(outcome(answer)).toEqual(refusal);
  });

  it('cannot enable a disabled endpoint for attribution records', async () => {
    await call('update', INSUFFICIENT, { body: { enabled: false } });

    expect(outcome(await call('update', INSUFFICIENT, { body: { enabled: true } }))).toEqual(refusal);
    expect((await read())['status']).toBe('disabled');
  });

  it('can disable, describe and delete an endpoint for attribution records', async () => {
    const described = await call('update', INSUFFICIENT, { body: { description: 'Leaks' } });
    const stopped = await call('update', INSUFFICIENT, { body: { enabled: false } });
    const deleted = await call('remove', INSUFFICIENT);

    expect([described.status, stopped.status, deleted.status]).toEqual([200, 200, 204]);
  });

  it('cannot rotate the secret that signs attribution records', async () => {
    const before = (await world.stored(tenant)).map(({ sealed_secrets }) => sealed_secrets);

    expect(outcome(await call('rotate', INSUFFICIENT, { body: {} }))).toEqual(refusal);
    expect((await world.stored(tenant)).map(({ sealed_secrets }) => sealed_secrets)).toEqual(before);
  });

  it('cannot replay one attribution record or a time range of them', async () => {
    const event = aRecord();
    await world.raise([event]);
    const range = { from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00Z' };
    const own = await register(['webhook.disabled'], INSUFFICIENT);

    const answers = [
      await call('replay', INSUFFICIENT, { body: { event_id: event.id } }),
      await call('replay', INSUFFICIENT, { body: range }),
      await call('replay', INSUFFICIENT, { id: own, body: { event_id: event.id } }),
    ];

    expect(answers.map(outcome)).toEqual([refusal, refusal, refusal]);
    expect([await world.entriesOf(id), await world.entriesOf(own)].flat()).not.toContainEqual(
      expect.objectContaining({ kind: 'event' }),
    );
  });

  it('sees only attempts at events that it may read', async () => {
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

    expect(await typesFor(INSUFFICIENT)).toEqual(['webhook.disabled']);
    expect(await typesFor(SUFFICIENT)).toEqual(['webhook.disabled', 'attribution.materialized']);
  });
});

describe('POST /webhooks/{id}/replay', () => {
  it('returns 409 when the principal that authorized the endpoint may not read the event', async () => {
    const own = await register(['webhook.disabled'], INSUFFICIENT);
    const event = aRecord();
    await world.raise([event]);

    const refused = await call('replay', SUFFICIENT, { id: own, body: { event_id: event.id } });
    const admitted = await call('replay', SUFFICIENT, { body: { event_id: event.id } });

    expect([outcome(refused), admitted.status]).toEqual([{ status: 409, code: 'CONFLICT' }, 202]);
  });

  it('returns 409 after the key that authorized the endpoint was revoked', async () => {
    const event = aRecord('webhook.disabled');
    await world.raise([event]);
    await storeKey(tenant, { revoked_at: '2026-05-20T12:00:00.000Z' });

    const answer = await call('replay', SUFFICIENT, { body: { event_id: event.id } });

    expect(outcome(answer)).toEqual({ status: 409, code: 'CONFLICT' });
  });
});

describe('a caller that may read the events', () => {
  it.each<[string, object]>([
    ['the URL', { url: ELSEWHERE }],
    ['the types', { events: ['attribution.disputed'] }],
    ['the status', { enabled: true }],
  ])('becomes the authorization of the endpoint by changing %s', async (_, body) => {
    const { body: after } = await call('update', SUFFICIENT, { principal: 'key_2', body });

    expect([after['created_by'], after['authorized_by']]).toEqual([keyIdOf(tenant), 'key_2']);
  });

  it.each<[string, object]>([
    ['the description', { description: 'Mine' }],
    ['the status to disabled', { enabled: false }],
  ])('does not become the authorization by changing %s', async (_, body) => {
    const { body: after } = await call('update', SUFFICIENT, { principal: 'key_2', body });

    expect(after['authorized_by']).toBe(keyIdOf(tenant));
  });
});
