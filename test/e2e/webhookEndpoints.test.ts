import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { portOf } from '../../local/engines/freePort.ts';
import { run } from '../../sdk/cli/src/run.ts';
import { challengeAnswer, type WebhookEvent } from '../../sdk/typescript/webhooks/event.ts';
import { verifyWebhook, verifyWebhookEvents } from '../../sdk/typescript/webhooks/verify.ts';
import { authority } from '../platform/egress/certificates.ts';
import { type Answer, type Request, someEvent } from '../support/client.ts';
import { demoTenants } from '../support/localService.ts';
import { type AdminInstance, KEYS, startAdminInstance } from './adminInstance.ts';

const WEBHOOKS = '/api/v1/webhooks';
const HOST = '127.0.0.1';

interface Received {
  readonly path: string;
  readonly body: Buffer;
  readonly signature: string;
}

let server: Server;
let api: AdminInstance;
const received: Received[] = [];
/** Response of the receiver by path. The default is the challenge response. */
const pages = new Map<string, string>();

beforeAll(async () => {
  const certificates = authority();
  server = createServer(certificates.issue([HOST]), async (request, response) => {
    const { url: path = '' } = request;
    const body = await buffer(request);
    received.push({ path, body, signature: String(request.headers['service-signature']) });
    response.end(
      pages.get(path)?.replace('BODY', body.toString()) ?? challengeAnswer(JSON.parse(body.toString())),
    );
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  api = await startAdminInstance({
    environment: { WEBHOOK_ALLOW_HOSTS: `${HOST}:${portOf(server)}`, WEBHOOK_CA: certificates.cert },
  });
});
afterAll(async () => {
  await api?.stop();
  server?.closeAllConnections();
  server?.close();
});

const on = (id: string, request: Request = {}, below = ''): Promise<Answer> =>
  api.send(`${WEBHOOKS}/${id}${below}`, request);
const register = async (path: string, events = ['apikey.rotated'], members: object = {}) => {
  const url = `https://${HOST}:${portOf(server)}${path}`;
  const { status, body, text } = await api.send(WEBHOOKS, { body: { url, events, ...members } });
  expect(status, text).toBe(201);
  return { id: String(body['id']), secret: String(body['signing_secret']) };
};
/** As long as the suite polls elsewhere. A busy machine starts several functions for a delivery. */
const WAIT_MS = 180_000;
const POLL = { timeout: WAIT_MS, interval: 500 };
const statusOf = async (id: string): Promise<unknown> => (await on(id)).body['status'];
const waitUntilVerified = (id: string) =>
  vi.waitFor(async () => expect(await statusOf(id)).toBe('verified'), WAIT_MS);
const requestsAt = (path: string): Received[] => received.filter((one) => one.path === path);
const waitForRequests = (path: string, count: number) =>
  vi.waitFor(() => expect(requestsAt(path)).toHaveLength(count), WAIT_MS);
/** The received events of a path, with verified signatures. */
const eventsAt = (path: string, secret: string): Promise<WebhookEvent[]> =>
  Promise.all(requestsAt(path).map((one) => verifyWebhook(one, { secrets: secret })));

describe('webhook endpoint', () => {
  it('receives its subscribed events after it answers the challenge', async () => {
    const { id, secret } = await register('/echo');
    await waitUntilVerified(id);
    const key = await api.keys.create();
    await api.keys.rotated(key.id);
    await waitForRequests('/echo', 2);

    const [challenge, event] = await eventsAt('/echo', secret);
    const [raised] = (await api.events()).filter(({ data }) => data['api_key_id'] === key.id);

    expect(challenge).toMatchObject({ type: 'webhook.verification', sequence: 1, tenant_id: 'acme' });
    expect(event).toEqual({ ...raised, sequence: 2 });
  });

  it('receives samples marked as test, and past events marked as replayed', async () => {
    const { id, secret } = await register('/again', ['anomaly.detected']);
    await waitUntilVerified(id);
    const [raised] = await api.events();

    await on(id, { body: { type: 'anomaly.detected' } }, '/test');
    await waitForRequests('/again', 2);
    const { status } = await on(id, { body: { event_id: raised?.id } }, '/replay');
    await waitForRequests('/again', 3);

    const [, sample, replayed] = await eventsAt('/again', secret);
    expect(status).toBe(202);
    expect(sample).toMatchObject({ type: 'anomaly.detected', sequence: 2, test: true });
    expect(replayed).toMatchObject({ id: raised?.id, sequence: 3, replayed: true });
    const log = await vi.waitFor(async () => {
      const { data } = Object((await on(id, {}, '/deliveries?sort=attempted_at')).body);
      expect(data).toHaveLength(3);
      return data;
    }, WAIT_MS);
    expect(log).toMatchObject([
      { event_type: 'webhook.verification', outcome: 'acknowledged', response_status: 200 },
      { event_id: sample?.id, test: true, replayed: false },
      { event_id: raised?.id, test: false, replayed: true },
    ]);
  });

  it('receives the event of a new record, which the list of events has too', async () => {
    const { id, secret } = await register('/records', ['attribution.materialized']);
    await waitUntilVerified(id);
    // Each event is new. The first ones can come before the subscription is known, after at most five seconds.
    await vi.waitFor(async () => {
      await api.send('/api/v1/invocations', { body: someEvent() });
      expect(requestsAt('/records').length).toBeGreaterThan(1);
    }, POLL);

    const [, { sequence: _, ...event } = { sequence: 0 }] = await eventsAt('/records', secret);
    const { body } = await api.send('/api/v1/webhook-events?types=attribution.materialized&limit=200');
    expect(body['data']).toContainEqual(event);
  });

  it('receives the events of many records in few requests when it takes batches', async () => {
    const COUNT = 60;
    const { id, secret } = await register('/batches', ['attribution.materialized'], { max_batch_size: 100 });
    await waitUntilVerified(id);
    const sent = () =>
      Promise.all(requestsAt('/batches').map((one) => verifyWebhookEvents(one, { secrets: secret })));
    // The first events can come before the subscription is known, after at most five seconds.
    await vi.waitFor(async () => {
      await api.send('/api/v1/invocations', { body: someEvent() });
      expect((await sent()).length).toBeGreaterThan(1);
    }, POLL);
    const before = requestsAt('/batches').length;

    await api.send('/api/v1/invocations/batch', {
      body: { events: Array.from({ length: COUNT }, () => someEvent()) },
    });
    await vi.waitFor(async () => expect(new Set((await sent()).flat()).size).toBeGreaterThan(COUNT), POLL);

    const sequences = (await sent()).flat().map(({ sequence }) => sequence);
    expect(new Set(sequences).size).toBe(Math.max(...sequences));
    expect(requestsAt('/batches').length - before).toBeLessThan(COUNT / 2);
    const { body } = await on(id, {}, '/deliveries?outcome=acknowledged&limit=200');
    const log = body['data'] as { event_type: string; request_id?: string }[];
    const requests = new Set(log.flatMap(({ request_id }) => request_id ?? []));
    expect(requests.size).toBeLessThan(log.length);
  });

  it('receives the sample that `attribution webhooks trigger` sends', async () => {
    const { id, secret } = await register('/triggered', ['anomaly.detected']);
    await waitUntilVerified(id);
    const output = new PassThrough();

    const code = await run(['webhooks', 'trigger', 'export.completed', '--endpoint', id], {
      env: {
        ATTRIBUTION_BASE_URL: api.instance.baseUrl,
        ATTRIBUTION_API_KEY: demoTenants(api.instance.credentials).acme.api_keys.admin,
      },
      stdout: output,
      stderr: new PassThrough(),
      readSecret: async () => '',
      signal: new AbortController().signal,
      now: Date.now,
    });
    await waitForRequests('/triggered', 2);

    const [, sample] = await eventsAt('/triggered', secret);
    expect(sample).toMatchObject({ type: 'export.completed', test: true });
    expect([code, String(output.read())]).toEqual([0, `${sample?.id}\n`]);
  });

  it('stays pending when it echoes requests, until the challenge is sent to /verify', async () => {
    pages.set('/reflecting', '<pre>BODY</pre>');
    const { id, secret } = await register('/reflecting');
    await waitForRequests('/reflecting', 1);
    await api.instance.runtime.idle();
    const [event] = await eventsAt('/reflecting', secret);
    const before = await statusOf(id);

    const { status, body } = await on(id, { body: { challenge: event?.data['challenge'] } }, '/verify');

    expect([before, status, body['status']]).toEqual(['pending', 200, 'verified']);
  });

  it('receives signatures of both secrets during a rotation overlap', async () => {
    const { id, secret } = await register('/rotating', ['anomaly.detected']);
    await waitUntilVerified(id);
    const { body } = await on(id, { body: {} }, '/rotate-secret');
    await on(id, { body: { type: 'anomaly.detected' } }, '/test');
    await waitForRequests('/rotating', 2);

    const [, delivery] = requestsAt('/rotating');
    if (delivery === undefined) throw new Error('the sample has arrived');
    for (const secrets of [secret, String(body['signing_secret'])]) {
      expect(await verifyWebhook(delivery, { secrets })).toMatchObject({ test: true });
    }
    await expect(verifyWebhook(delivery, { secrets: 'whsec_other-0123456789abcdef' })).rejects.toThrow(
      'no_match',
    );
  });

  it('receives no events after its URL changes, or when disabled or deleted', async () => {
    const endpoints = await Promise.all(['/moved', '/stopped', '/deleted'].map((path) => register(path)));
    await Promise.all(endpoints.map(({ id }) => waitUntilVerified(id)));
    const [moved, stopped, deleted] = endpoints.map(({ id }) => id);
    pages.set('/elsewhere', 'not the challenge');
    const url = `https://${HOST}:${portOf(server)}/elsewhere`;
    await on(moved ?? '', { method: 'PATCH', body: { url } });
    await on(stopped ?? '', { method: 'PATCH', body: { enabled: false } });
    await on(deleted ?? '', { method: 'DELETE' });

    const key = await api.keys.create();
    await api.keys.rotated(key.id);
    // The active endpoint received the event, so the others would have received it by now.
    await vi.waitFor(() => expect(requestsAt('/echo').length).toBeGreaterThan(2), WAIT_MS);
    await api.instance.runtime.idle();

    for (const path of ['/moved', '/stopped', '/deleted', '/elsewhere']) {
      const types = requestsAt(path).map(({ body }) => JSON.parse(body.toString()).type);
      expect(types).toEqual(['webhook.verification']);
    }
  });

  it('has no plain-text secret in any table', async () => {
    const { id, secret } = await register('/canary');
    await waitUntilVerified(id);
    const rotated = await on(id, { body: {} }, '/rotate-secret');
    const canaries = [secret, String(rotated.body['signing_secret'])].map((text) =>
      text.replace('whsec_', ''),
    );

    const { tables } = api.instance.credentials;
    const rows = JSON.stringify(await Promise.all(Object.keys(tables).map(api.engines.rows)));

    expect(rows).toContain(id);
    expect(canaries.filter((canary) => rows.includes(canary))).toEqual([]);
  });
});

it('returns WEBHOOK_URL_REJECTED for internal addresses, audits it, and stores nothing', async () => {
  const key = await api.administration.issueKey((await api.newTenant('inside')).tenant, 'hooks', [
    'webhooks:manage',
    'export:create',
  ]);
  const urls = [
    'https://169.254.169.254/latest/meta-data',
    'https://127.0.0.1/',
    'https://[::1]/',
    'http://example.com/',
  ];

  const answers = await Promise.all(
    urls.map((url) => api.send(WEBHOOKS, { key, body: { url, events: ['export.failed'] } })),
  );

  expect(answers.map(({ status, body }) => [status, body['error_code']])).toEqual(
    urls.map(() => [422, 'WEBHOOK_URL_REJECTED']),
  );
  expect((await api.send(WEBHOOKS, { key })).body['data']).toEqual([]);
  const rejected = (await api.audit()).filter(({ error_code }) => error_code === 'WEBHOOK_URL_REJECTED');
  expect(rejected.map(({ action, outcome }) => [action, outcome])).toEqual(
    urls.map(() => ['webhook.create', 'refused']),
  );
  expect((await api.send(KEYS, { key })).status).toBe(403);
});
