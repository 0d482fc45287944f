import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, call, someEvent } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants, recordsOfEvent, replayed } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

type Tenant = Instance['credentials']['tenants'][number];

let instance: Instance;
let acme: Tenant;
let globex: Tenant;

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme: first, globex: second } = demoTenants(instance.credentials);
  [acme, globex] = [first, second];
});
afterAll(() => instance?.stop());

const SINGLE = '/api/v1/invocations';
const post = (
  body: unknown,
  idempotencyKey: string,
  options: { key?: string; path?: string; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  call(instance.baseUrl, options.path ?? SINGLE, {
    key: options.key ?? acme.api_keys.ingest,
    body,
    idempotencyKey,
    headers: options.headers ?? {},
  });

/** The current records of an event. */
const recordsOf = (event: Record<string, unknown>, tenant = acme) =>
  recordsOfEvent(instance, tenant.api_keys.read, event['event_id']);

describe('repeated ingestion request with the same idempotency key', () => {
  it('returns the same response as a replay, with its own trace id', async () => {
    const [event, key] = [someEvent({ prompt: 'hello' }), randomUUID()];

    const [first, again] = [await post(event, key), await post(event, key)];

    expect(first).toMatchObject({ status: 202, body: { status: 'queued', scrubbed: ['prompt'] } });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
    expect(again.headers.get('x-trace-id')).not.toBe(first.headers.get('x-trace-id'));
    expect(await recordsOf(event)).toHaveLength(1);
  });

  it('returns the same response with a charset parameter', async () => {
    const [event, key] = [someEvent(), randomUUID()];
    const first = await post(event, key);

    const again = await post(event, key, { headers: { 'content-type': 'application/json; charset=utf-8' } });

    expect([again.status, again.text, replayed(again)]).toEqual([202, first.text, 'true']);
    expect(await recordsOf(event)).toHaveLength(1);
  });

  it('belongs to one credential: another one of the tenant uses it for itself, and the event makes one record', async () => {
    const [event, key] = [someEvent(), randomUUID()];
    await post(event, key);

    const other = await post(event, key, { key: acme.api_keys.admin });

    expect([other.status, replayed(other)]).toEqual([202, null]);
    expect(await recordsOf(event)).toHaveLength(1);
  });

  it('returns the same batch response', async () => {
    const [good, key] = [someEvent(), randomUUID()];
    const batch = { events: [good, someEvent({ provider: 7 })] };
    const path = '/api/v1/invocations/batch';

    const [first, again] = [await post(batch, key, { path }), await post(batch, key, { path })];

    expect(first).toMatchObject({ status: 202, body: { accepted: 1, rejected: 1 } });
    expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
    expect(await recordsOf(good)).toHaveLength(1);
  });

  it('matches the key quoted or unquoted, under any header case', async () => {
    const [event, key] = [someEvent(), randomUUID()];
    const withHeaders = (headers: Record<string, string>) =>
      call(instance.baseUrl, SINGLE, {
        key: acme.api_keys.ingest,
        body: event,
        idempotencyKey: null,
        headers,
      });

    const first = await post(event, key);
    const others = [
      await withHeaders({ 'Idempotency-Key': `"${key}"` }),
      await withHeaders({ 'IDEMPOTENCY-KEY': key }),
      await withHeaders({ 'idempotency-key': `"${key}"` }),
    ];

    expect(replayed(first)).toBeNull();
    expect(others.map(replayed)).toEqual(['true', 'true', 'true']);
  });

  it('creates one record and one original response for 24 concurrent requests', async () => {
    const [event, key] = [someEvent(), randomUUID()];

    const answers = await Promise.all(Array.from({ length: 24 }, () => post(event, key)));

    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(await recordsOf(event)).toHaveLength(1);
  });
});

describe('different ingestion request with a used idempotency key', () => {
  it('returns IDEMPOTENCY_CONFLICT without effect, and keeps the first response', async () => {
    const [event, other, key] = [someEvent(), someEvent(), randomUUID()];
    const first = await post(event, key);

    const conflict = await post(other, key);
    const again = await post(event, key);

    expect(conflict).toMatchObject({ status: 422, body: { error_code: 'IDEMPOTENCY_CONFLICT' } });
    expect([replayed(conflict), replayed(again), again.text]).toEqual([null, 'true', first.text]);
    expect(await recordsOf(other)).toEqual([]);
  });

  it('returns 422 while the first request is in progress', async () => {
    const key = randomUUID();
    const events = Array.from({ length: 8 }, () => someEvent());

    const answers = await Promise.all(events.map((event) => post(event, key)));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array(7).fill(422)]);
    const recorded = await Promise.all(events.map((event) => recordsOf(event)));
    expect(recorded.flat()).toHaveLength(1);
  });
});

describe('ingestion idempotency key', () => {
  it('is independent per tenant', async () => {
    const [event, key] = [someEvent(), randomUUID()];

    const answers = [await post(event, key), await post(event, key, { key: globex.api_keys.ingest })];

    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(answers.map(replayed)).toEqual([null, null]);
    expect(await recordsOf(event, globex)).toHaveLength(1);
  });

  it('is independent per route', async () => {
    const [event, key] = [someEvent(), randomUUID()];

    const answers = [
      await post(event, key),
      await post({ events: [event] }, key, { path: '/api/v1/invocations/batch' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(answers.map(replayed)).toEqual([null, null]);
  });

  it('is not consumed by a rejected request', async () => {
    const key = randomUUID();

    const answers = [
      await post(someEvent({ provider: '' }), key),
      await post('{"event_id":', key),
      await post(someEvent({ ingestion_timestamp: '2020-01-01T00:00:00Z' }), key),
      await post(someEvent(), key, { key: acme.api_keys.read }),
      await post(someEvent(), key),
    ];

    expect(answers.map(({ status }) => status)).toEqual([422, 400, 422, 403, 202]);
    expect(answers.map(replayed)).toEqual([null, null, null, null, null]);
  });
});
