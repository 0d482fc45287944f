import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVOCATION_EVENT_FIELDS } from '../../schemas/ingest/invocationEvent.ts';
import { type Answer, call, someEvent } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants, recordsOfEvent } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const LIST = '/v1/attribution';

let instance: Instance;
let tenantId: string;
let own: { ingest: string; read: string; admin: string };

beforeAll(async () => {
  instance = await sharedInstance();
  ({ tenant_id: tenantId, api_keys: own } = demoTenants(instance.credentials).acme);
});
afterAll(() => instance?.stop());

const post = (body: unknown, path = '/api/v1/invocations'): Promise<Answer> =>
  call(instance.baseUrl, path, { key: own.ingest, body });

/** The record of an event. */
const recordOf = async (event: Record<string, unknown>) =>
  (await recordsOfEvent(instance, own.read, event['event_id']))[0];

describe('unusual but valid event', () => {
  it('drops unknown members', async () => {
    const event = someEvent({ id: 'att_x', cost_usd: '9', interpretation: {}, role: 'admin', spread: 7 });

    const answer = await post(event);

    expect(answer).toMatchObject({ status: 202, body: { scrubbed: [] } });
    const record = await recordOf(event);
    expect(record).toMatchObject({ cost_usd: '0.0045', tenant_id: tenantId });
    expect(record).not.toHaveProperty('role');
  });

  it('caps the reported confidence at 0.95', async () => {
    const event = someEvent({ attribution_confidence: 1 });

    expect((await post(event)).status).toBe(202);
    expect(await recordOf(event)).toMatchObject({ coper: 0.95 });
  });

  it.each([
    ['mixed scripts and emoji', '日本 – 𝔘nicode 👩‍👩‍👧'],
    ['noncharacters that SQS rejects', 'a\uffffb\ufffe'],
    ['a spreadsheet formula', '=cmd|"/c calc"!A1'],
    ['an SQL injection', "'; DROP TABLE ledger; --"],
    ['an HTML script', '<script>alert(1)</script>'],
    ['a prototype member name', '__proto__'],
  ])('stores a name with %s unchanged', async (_, name) => {
    const event = someEvent({ attributed_service: name });

    expect(await post(event)).toMatchObject({ status: 202 });
    expect(await recordOf(event)).toMatchObject({ service: name });
  });

  it('stores a name without its invisible characters', async () => {
    const event = someEvent({ attributed_service: 'search\u202e \ufeff' });

    expect(await post(event)).toMatchObject({ status: 202 });
    expect(await recordOf(event)).toMatchObject({ service: 'search' });
  });

  it('accepts exponent numbers and surrounding whitespace', async () => {
    const event = someEvent();
    const text = ` \n${JSON.stringify(event).replace('"input_tokens":1000', '"input_tokens" : 1.0E3')}\t `;

    expect(await post(text)).toMatchObject({ status: 202 });
    expect(await recordOf(event)).toMatchObject({ input_tokens: 1_000 });
  });

  it('gets a short response when its member names are very long', async () => {
    const long = 'x'.repeat(50_000);
    const dropped = {
      [`${long}_prompt`]: 1,
      [long]: Object.fromEntries(Array(50).entries()),
      zz: { prompt: 1 },
    };

    const answer = await post(someEvent(dropped));

    expect(answer).toMatchObject({ status: 202, body: { scrubbed: ['zz.prompt'] } });
    expect(answer.text.length).toBeLessThan(4_000);
  });
});

describe('batch with invalid events', () => {
  it('accepts the valid events and reports each invalid one', async () => {
    const good = [someEvent(), someEvent()];
    const events = [
      good[0],
      null,
      7,
      'text',
      [],
      {},
      someEvent({ tenant_id: 'globex' }),
      someEvent({ tenant_id: 7 }),
      someEvent({ provider: '' }),
      someEvent({ ingestion_timestamp: '2020-01-01T00:00:00Z' }),
      good[1],
    ];

    const { status, body } = await post({ events }, '/api/v1/invocations/batch');

    expect(status).toBe(202);
    expect(body).toMatchObject({ accepted: 2, rejected: 9 });
    expect(body['results']).toMatchObject(
      events.map((event, index) => ({
        index,
        status: good.some((one) => one === event) ? 'queued' : 'rejected',
      })),
    );
  });

  it('keeps the response below the Lambda limit when every event has many errors', async () => {
    const wrong = {
      ...Object.fromEntries([...INVOCATION_EVENT_FIELDS].map((name) => [name, {}])),
      event_id: '\u0001'.repeat(500),
      tags: Array(20).fill(0),
      cost_breakdown: { input: 0, cached_input: 0, cache_write: 0, output: 0, request: 0 },
    };

    const answer = await post({ events: Array(1_000).fill(wrong) }, '/api/v1/invocations/batch');

    expect(answer).toMatchObject({ status: 202, body: { accepted: 0, rejected: 1_000 } });
    // A Lambda response has at most 6 MB, and contains the body as a JSON string.
    expect(Buffer.byteLength(JSON.stringify(answer.text))).toBeLessThan(6_000_000);
  });
});

describe('pagination cursor', () => {
  let cursor: string;
  const query = 'limit=2&sort=occurred_at';
  const follow = (rest = query): Promise<Answer> =>
    call(instance.baseUrl, `${LIST}?${rest}&cursor=${encodeURIComponent(cursor)}`, { key: own.read });

  beforeAll(async () => {
    await post({ events: Array.from({ length: 6 }, () => someEvent()) }, '/api/v1/invocations/batch');
    await instance.runtime.idle();
    const { body } = await call(instance.baseUrl, `${LIST}?${query}`, { key: own.read });
    cursor = String(Object(body['page']).next_cursor);
  });

  it('returns the same page each time it is used', async () => {
    const [once, again] = [await follow(), await follow()];

    expect(once.status).toBe(200);
    expect(again.body['data']).toEqual(once.body['data']);
  });

  it('works with another page size', async () => {
    expect((await follow('limit=3&sort=occurred_at')).status).toBe(200);
  });
});
