import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleEvent } from '../../../functions/delivery/webhooks/streams/sampleEvents.ts';
import { sha256Of } from '../../../functions/platform/shared/hash.ts';
import { idOf } from '../../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { eventData, type RaisedEvent } from '../../../schemas/delivery/events.ts';
import {
  type DeliveryAttempt,
  REPLAYED_MAXIMUM,
  type SubscribableEvent,
  subscribableTypes,
} from '../../../schemas/delivery/webhooks.ts';
import { tamper } from '../../support/tamper.ts';
import { newTenant } from '../../support/tenants.ts';
import { keyIdOf, storeKey } from './authorizing.ts';
import { type OperationName, type OperationRequest, startWebhooksHarness } from './harness.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const REQUEST = { url: 'https://hooks.example.com/in', events: ['budget.threshold.crossed'] };

let tenant: Tenant;
let id: string;
const world = await startWebhooksHarness();
afterAll(() => world.live.stop());
beforeEach(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  tenant = newTenant();
  await storeKey(tenant);
  const principal = keyIdOf(tenant);
  const { body } = await world.call('create', { tenant, principal, body: REQUEST });
  id = String(body['id']);
  const [endpoint] = await world.stored(tenant);
  const challenge = endpoint && world.challengeOf(endpoint);
  await world.call('verify', { tenant, id, body: { challenge } });
  world.time.now += MINUTE;
});
afterEach(() => vi.restoreAllMocks());

const call = (name: OperationName, sent: Omit<OperationRequest, 'tenant'> = {}) =>
  world.call(name, { tenant, id, principal: keyIdOf(tenant), ...sent });
/** The entries of the stream without the challenge. */
const entries = async () => (await world.entriesOf(id)).filter(({ kind }) => kind !== 'verification');

let events = 0;
const anEvent = (
  ago: number,
  type: SubscribableEvent = 'budget.threshold.crossed',
  of: Tenant = tenant,
): RaisedEvent => {
  events += 1;
  const at = world.time.now - ago;
  return sampleEvent(type, { ulid: ulidOf(at, sha256Of(String(events))), at, tenant: of });
};

describe('POST /webhooks/{id}/test', () => {
  it.each(subscribableTypes)('has a sample of %s that matches its schema', (type) => {
    const { data } = anEvent(0, type);

    expect(eventData[type].parse(data)).toEqual(data);
  });

  it.each(subscribableTypes)('has the same sample of %s for every tenant', (type) => {
    expect(anEvent(0, type, newTenant()).data).toEqual(anEvent(MINUTE, type).data);
  });

  it.each(subscribableTypes)(
    'appends a sample of %s, marked as test, regardless of subscriptions',
    async (type) => {
      const { status, body } = await call('test', { body: { type } });

      const [entry, ...others] = await entries();
      expect([status, body, others]).toEqual([202, { endpoint_id: id, event_ids: [entry?.event.id] }, []]);
      expect(entry).toMatchObject({ kind: 'test', replayed: false, event: { type } });
      expect((await world.auditOf(tenant)).at(-1)).toMatchObject({ action: 'webhook.test', resource: id });
    },
  );

  it.each(['webhook.verification', 'anomaly.missed'])('returns VALIDATION_FAILED for %s', async (type) => {
    expect((await call('test', { body: { type } })).body['error_code']).toBe('VALIDATION_FAILED');
  });
});

describe('POST /webhooks/{id}/replay', () => {
  const replay = (body: object, key?: string) => call('replay', { body, ...(key && { key }) });
  const sent = async () => (await entries()).map(({ event, replayed }) => [event.id, replayed]);

  it('replays one event regardless of its type and age', async () => {
    const event = anEvent(20 * DAY, 'anomaly.detected');
    await world.raise([event]);

    const { status, body } = await replay({ event_id: event.id });

    expect([status, body]).toEqual([202, { endpoint_id: id, event_ids: [event.id] }]);
    expect((await entries())[0]?.event).toEqual(event);
    expect(await sent()).toEqual([[event.id, true]]);
    expect((await world.auditOf(tenant)).at(-1)).toMatchObject({
      action: 'webhook.replay',
      resource: id,
      outcome: 'succeeded',
    });
  });

  it('replays the subscribed types of a time range, from inclusive and to exclusive', async () => {
    const raised = [3 * MINUTE, 2 * MINUTE, MINUTE].map((ago) => anEvent(ago));
    const other = anEvent(2 * MINUTE, 'anomaly.detected');
    await world.raise([...raised, other]);
    const [first, , last] = raised.map(({ created_at }) => created_at);

    const { body } = await replay({ from: first, to: last });

    const expected = raised.slice(0, 2).map((event) => event.id);
    expect(body['event_ids']).toEqual(expected);
    expect(await sent()).toEqual(expected.map((eventId) => [eventId, true]));
  });

  it.each([
    ['an invalid event id', () => 'evt_1', 404, 'NOT_FOUND'],
    ['an expired event', () => anEvent(MINUTE).id, 404, 'NOT_FOUND'],
    ["another tenant's event", () => anEvent(MINUTE, undefined, newTenant()).id, 403, 'TENANT_MISMATCH'],
  ])('returns an error for %s', async (_, eventId, status, code) => {
    const answer = await replay({ event_id: eventId() });

    expect([answer.status, answer.body['error_code']]).toEqual([status, code]);
    expect(await sent()).toEqual([]);
  });

  it.each([
    ['ends before it begins', { from: '2026-05-02T00:00:00Z', to: '2026-05-01T00:00:00Z' }],
    ['is empty', { from: '2026-05-01T00:00:00Z', to: '2026-05-01T00:00:00Z' }],
    ['has no end', { from: '2026-05-01T00:00:00Z' }],
    [
      'is combined with one event',
      { event_id: 'evt_1', from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' },
    ],
  ])('returns VALIDATION_FAILED for a time range that %s', async (_, body) => {
    expect((await replay(body)).body['error_code']).toBe('VALIDATION_FAILED');
  });

  it('returns 422 and sends nothing when the range has more than 500 events', async () => {
    const many = Array.from({ length: REPLAYED_MAXIMUM + 1 }, (_, index) => anEvent(DAY - index));
    for (let index = 0; index < many.length; index += 100) await world.raise(many.slice(index, index + 100));
    const at = (ago: number) => new Date(world.time.now - ago).toISOString();

    const refused = await replay({ from: at(DAY), to: at(0) });
    const fewer = await replay({ from: at(DAY), to: at(DAY - REPLAYED_MAXIMUM) });

    expect([refused.status, refused.body['error_code']]).toEqual([422, 'VALIDATION_FAILED']);
    expect([fewer.status, Object(fewer.body)['event_ids'].length]).toEqual([202, REPLAYED_MAXIMUM]);
    expect((await entries()).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: REPLAYED_MAXIMUM }, (_, index) => index + 2),
    );
  });
});

it.each(['test', 'replay'] as const)(
  'a %s of an endpoint that is not verified returns CONFLICT',
  async (name) => {
    const event = anEvent(MINUTE);
    await world.raise([event]);
    const body = name === 'test' ? { type: event.type } : { event_id: event.id };
    await call('update', { body: { enabled: false } });
    const disabled = await call(name, { body });
    await call('update', { body: { enabled: true, url: 'https://other.example.com/' } });
    const pending = await call(name, { body });

    expect([disabled, pending].map((answer) => [answer.status, answer.body['error_code']])).toEqual([
      [409, 'CONFLICT'],
      [409, 'CONFLICT'],
    ]);
    expect(await entries()).toEqual([]);
  },
);

describe('GET /webhooks/{id}/deliveries', () => {
  const anAttempt = (ago: number, members: Partial<DeliveryAttempt> = {}): DeliveryAttempt => {
    const at = world.time.now - ago;
    events += 1;
    return {
      id: idOf('dlv', tenant.tag, ulidOf(at, sha256Of(String(events)))),
      endpoint_id: id,
      event_id: 'evt_1',
      event_type: 'budget.threshold.crossed',
      sequence: 2,
      attempt: 1,
      attempted_at: new Date(at).toISOString(),
      latency_ms: 12,
      response_status: 200,
      outcome: 'acknowledged',
      failure: null,
      next_attempt_at: null,
      test: false,
      replayed: false,
      retained_until: new Date(at + 30 * DAY).toISOString(),
      ...members,
    };
  };
  const failed = { outcome: 'retried', response_status: 500, failure: 'status' } as const;
  const read = async (query: Record<string, string> = {}) => {
    const { status, body, text } = await call('deliveries', { query });
    expect(status, text).toBe(200);
    return Object(body);
  };
  const idsIn = ({ data }: { data: { id: string }[] }) => data.map((attempt) => attempt.id);

  it('returns one entry per attempt, newest first', async () => {
    const attempts = [3, 2, 1].map((minutes) => anAttempt(minutes * MINUTE));
    await world.log(tenant, attempts);

    expect((await read()).data).toEqual(attempts.toReversed());
    expect((await read({ sort: 'attempted_at' })).data).toEqual(attempts);
  });

  it('returns each attempt once across pages, without attempts made in the meantime', async () => {
    const attempts = Array.from({ length: 7 }, (_, index) => anAttempt((index + 1) * MINUTE));
    await world.log(tenant, attempts);
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await read({ limit: '3', ...(cursor && { cursor }) });
      found.push(...idsIn(page));
      world.time.now += 1_000;
      await world.log(tenant, [anAttempt(0)]);
      cursor = page.page.next_cursor;
    }

    expect(found).toEqual(attempts.map((attempt) => attempt.id));
  });

  it('filters by outcome, status, type, event and time', async () => {
    const plain = anAttempt(5 * MINUTE);
    const retried = anAttempt(4 * MINUTE, failed);
    const timedOut = anAttempt(3 * MINUTE, { ...failed, response_status: null, failure: 'timeout' });
    const other = anAttempt(2 * MINUTE, { event_id: 'evt_2', event_type: 'anomaly.detected' });
    await world.log(tenant, [plain, retried, timedOut, other]);
    const ids = async (query: Record<string, string>) => idsIn(await read(query));

    expect(await ids({ outcome: 'retried' })).toEqual([timedOut.id, retried.id]);
    expect(await ids({ response_status: '500' })).toEqual([retried.id]);
    expect(await ids({ event_type: 'anomaly.detected' })).toEqual([other.id]);
    expect(await ids({ event_id: 'evt_2' })).toEqual([other.id]);
    expect(await ids({ event_id: 'evt_2', outcome: 'retried' })).toEqual([]);
    const { attempted_at: from } = retried;
    const { attempted_at: to } = timedOut;
    expect(await ids({ 'attempted_at[gte]': from, 'attempted_at[lte]': to })).toEqual([
      timedOut.id,
      retried.id,
    ]);
    expect(await ids({ 'attempted_at[gt]': from, 'attempted_at[lt]': to })).toEqual([]);
  });

  it('reaches the end with bounded reads when a filter matches little', async () => {
    const rare = anAttempt(100 * MINUTE, failed);
    await world.log(tenant, [rare, ...Array.from({ length: 40 }, (_, index) => anAttempt(index * MINUTE))]);
    const pages: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await read({ limit: '2', outcome: 'retried', ...(cursor && { cursor }) });
      pages.push(idsIn(page));
      cursor = page.page.next_cursor;
    }

    expect(pages.flat()).toEqual([rare.id]);
    expect(pages.length).toBeGreaterThan(3);
  });

  it('omits attempts older than 30 days and attempts of another endpoint', async () => {
    await world.log(tenant, [anAttempt(31 * DAY), anAttempt(MINUTE, { endpoint_id: tamper(id) })]);

    expect((await read()).data).toEqual([]);
  });

  it('returns INVALID_CURSOR for a cursor of another endpoint', async () => {
    await world.log(tenant, [anAttempt(MINUTE), anAttempt(2 * MINUTE)]);
    const { page } = await read({ limit: '1' });
    const { body: other } = await world.call('create', { tenant, body: REQUEST });

    const { body } = await call('deliveries', {
      id: String(other['id']),
      query: { limit: '1', cursor: page.next_cursor },
    });

    expect(body['error_code']).toBe('INVALID_CURSOR');
  });

  it('returns 400 for an unknown filter or value', async () => {
    expect((await call('deliveries', { query: { url: 'x' } })).status).toBe(400);
    expect((await call('deliveries', { query: { response_status: 'all' } })).status).toBe(400);
  });
});
