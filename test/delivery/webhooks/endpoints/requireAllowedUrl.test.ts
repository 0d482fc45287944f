import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isChallengeAnswer } from '../../../../functions/delivery/webhooks/endpoints/challenge.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { ENDPOINTS_MAXIMUM } from '../../../../schemas/delivery/webhooks.ts';
import { injectFaults } from '../../../identity/credentials/faultInjection.ts';
import { hostileAddresses, hostileAnswers, hostileUrls } from '../../../platform/egress/hostileUrls.ts';
import { newTenant } from '../../../support/tenants.ts';
import { startWebhooksHarness } from '../harness.ts';

/** The remaining time of a function in the harness, plus the margin of its idempotency lease, in milliseconds. */
const LEASE_MS = 10_000 + 2_000;
const URL = 'https://hooks.example.com/in?key=1';
const REQUEST = { url: URL, events: ['budget.threshold.crossed', 'anomaly.detected'] };

let tenant: Tenant;
const world = await startWebhooksHarness();
const faults = injectFaults();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = newTenant();
  // Silences the log.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const register = (members: object = {}, others: { key?: string; residency?: string } = {}) =>
  world.call('create', { tenant, body: { ...REQUEST, ...members }, ...others });

describe('POST /webhooks', () => {
  it('returns the pending endpoint and its signing secret', async () => {
    const { status, body, headers } = await register({ description: 'FinOps' });

    const at = new Date(world.time.now).toISOString();
    expect([status, headers['location']]).toEqual([201, `/api/v1/webhooks/${body['id']}`]);
    expect(body).toEqual({
      id: expect.stringMatching(new RegExp(`^whe_${tenant.tag}`)),
      url: URL,
      description: 'FinOps',
      events: REQUEST.events,
      status: 'pending',
      disabled_reason: null,
      disabled_at: null,
      max_batch_size: 1,
      failing_since: null,
      challenge_valid_until: new Date(world.time.now + 24 * 60 * 60 * 1_000).toISOString(),
      secret_rotated_at: null,
      previous_secret_valid_until: null,
      created_at: at,
      updated_at: at,
      created_by: 'key_1',
      authorized_by: 'key_1',
      signing_secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{43}$/),
    });
    const { signing_secret: _, ...shown } = body;
    expect((await world.call('get', { tenant, id: String(body['id']) })).body).toEqual(shown);
  });

  it('sends only a challenge, which is stored encrypted', async () => {
    const { body } = await register();
    const [endpoint] = await world.stored(tenant);
    const [entry, ...others] = await world.entriesOf(String(body['id']));

    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      sequence: 1,
      kind: 'verification',
      replayed: false,
      event: { type: 'webhook.verification', tenant_id: tenant.tenant_id, data: {} },
    });
    if (endpoint?.state.status !== 'pending') throw new Error('the endpoint is not pending');
    const challenge = world.challengeOf(endpoint) ?? '';
    expect(isChallengeAnswer(endpoint.state.challenge, challenge, world.time.now)).toBe(true);
  });

  it('stores neither the secret nor the challenge in plain text', async () => {
    const { body } = await register();
    const [endpoint] = await world.stored(tenant);
    if (endpoint === undefined) throw new Error('the endpoint is not stored');

    const everything = await world.everything();

    expect(world.secretsOf(endpoint)).toEqual({ current: body['signing_secret'], previous: null });
    expect(everything).not.toContain(String(body['signing_secret']).slice('whsec_'.length));
    expect(everything).not.toContain(world.challengeOf(endpoint));
  });

  it('writes an audit entry', async () => {
    const { body } = await register();

    expect(await world.auditOf(tenant)).toMatchObject([
      { action: 'webhook.create', resource: body['id'], outcome: 'succeeded', error_code: null },
    ]);
  });

  it('stores the normalized URL', async () => {
    const { body } = await register({ url: 'HTTPS://Hooks.Example.COM.:443/a/../b' });

    expect(body['url']).toBe('https://hooks.example.com/b');
  });

  it.each([
    ['no types', { events: [] }, '/events'],
    ['a type twice', { events: ['anomaly.detected', 'anomaly.detected'] }, '/events'],
    ['an unknown type', { events: ['anomaly.missed'] }, '/events/0'],
    ['the challenge as a type', { events: ['webhook.verification'] }, '/events/0'],
    ['no URL', { url: undefined }, '/url'],
    ['a secret of its own', { signing_secret: 'whsec_mine' }, '/signing_secret'],
    ['a control character in its description', { description: 'a\nb' }, '/description'],
  ])('returns 422 for %s', async (_, members, pointer) => {
    const { status, body } = await register(members);

    expect([status, body['error_code'], Object(body['errors'])[0]?.pointer]).toEqual([
      422,
      'VALIDATION_FAILED',
      pointer,
    ]);
  });

  it('returns 422 at the endpoint limit until an endpoint is deleted', async () => {
    const created = [];
    for (let count = 0; count < ENDPOINTS_MAXIMUM; count += 1) created.push(await register());
    const refused = await register();

    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));
    expect([refused.status, refused.body['error_code']]).toEqual([422, 'VALIDATION_FAILED']);
    await world.call('remove', { tenant, id: String(created[3]?.body['id']) });
    expect((await register()).status).toBe(201);
    expect(await world.countOf(tenant)).toBe(ENDPOINTS_MAXIMUM);
  });

  it('returns RESIDENCY_BLOCKED to a lane-bound credential, as do all webhook routes', async () => {
    tenant = newTenant({ residency: ['eu'] });
    const { body } = await register();
    const id = String(body['id']);
    const refused = [
      await register({}, { residency: 'eu' }),
      await world.call('list', { tenant, residency: 'eu' }),
      await world.call('get', { tenant, id, residency: 'eu' }),
      await world.call('update', { tenant, id, residency: 'eu', body: { enabled: false } }),
      await world.call('verify', { tenant, id, residency: 'eu' }),
      await world.call('rotate', { tenant, id, residency: 'eu' }),
      await world.call('test', { tenant, id, residency: 'eu', body: { type: 'anomaly.detected' } }),
      await world.call('replay', { tenant, id, residency: 'eu', body: { event_id: 'evt_1' } }),
      await world.call('deliveries', { tenant, id, residency: 'eu' }),
      await world.call('remove', { tenant, id, residency: 'eu' }),
    ];

    expect(refused.map((answer) => [answer.status, answer.body['error_code']])).toEqual(
      refused.map(() => [409, 'RESIDENCY_BLOCKED']),
    );
    expect(await world.stored(tenant)).toHaveLength(1);
  });
});

describe('POST /webhooks with a URL that is not allowed', () => {
  const refusedAs = async (url: string) => {
    const { status, body, text } = await register({ url });
    expect([status, body['error_code'], Object(body['errors'])[0]?.pointer], text).toEqual([
      422,
      'WEBHOOK_URL_REJECTED',
      '/url',
    ]);
    expect(await world.stored(tenant)).toEqual([]);
    expect(await world.auditOf(tenant)).toMatchObject([
      {
        action: 'webhook.create',
        resource: null,
        outcome: 'refused',
        error_code: 'WEBHOOK_URL_REJECTED',
        actor: { id: 'key_1' },
        source_ip: '192.0.2.7',
      },
    ]);
    return text;
  };

  it.each(hostileUrls)('returns 422, writes an audit entry and stores nothing: %s', async (_, url) => {
    await refusedAs(url);
  });

  it.each(hostileAddresses)('returns 422 when the host is an address for %s: %s', async (_, address) => {
    await refusedAs(`https://${address.includes(':') ? `[${address}]` : address}/hook`);
  });

  it.each(hostileAnswers)('returns 422 when the host resolves to %s: %s', async (_, address) => {
    world.names.set('rebound.example.com', ['93.184.215.14', address]);

    const text = await refusedAs('https://rebound.example.com/hook');

    if (address !== '') expect(text).not.toContain(`"${address}`);
    expect(text).not.toContain('93.184.215.14');
  });

  it.each([
    ['https://user:secret@10.0.0.1/hook?token=secret', '10.0.0.1'],
    ['https://[::1]:8443/secret', '[::1]:8443'],
    ['http://hooks.example.com/in', 'hooks.example.com'],
    ['secret', null],
  ])('audits the host of %s, without user information, path and query', async (url, host) => {
    await refusedAs(url);

    expect(await world.auditOf(tenant)).toMatchObject([{ refused_host: host }]);
    expect(JSON.stringify(await world.auditOf(tenant))).not.toContain('secret');
  });

  it.each([443, 8443])('allows port %d', async (port) => {
    expect((await register({ url: `https://hooks.example.com:${port}/in` })).status).toBe(201);
  });

  it('returns 422 while the host does not resolve, and 201 under the same key once it does', async () => {
    const send = () => register({ url: 'https://late.example.com/' }, { key: 'late' });
    const first = await send();
    world.names.set('late.example.com', ['93.184.215.14']);

    expect([first.status, first.body['error_code']]).toEqual([422, 'WEBHOOK_URL_REJECTED']);
    expect((await send()).status).toBe(201);
  });
});

describe('POST /webhooks repeated after a fault', () => {
  it('returns 201 even if the host no longer resolves', async () => {
    world.names.set('brief.example.com', ['93.184.215.14']);
    const send = () => register({ url: 'https://brief.example.com/' }, { key: 'brief' });
    void faults.arm({ write: 4, moment: 'before', kind: 'dies' });
    await send();
    faults.restart();
    world.time.now += LEASE_MS;
    world.names.delete('brief.example.com');

    const answer = await send();

    expect(answer.status, answer.text).toBe(201);
    expect(await world.entriesOf(String(answer.body['id']))).toHaveLength(1);
  });
});
