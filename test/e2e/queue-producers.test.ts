import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, someEvent } from '../support/client.ts';
import { SENDER, startProducerInstance } from './producerInstance.ts';

const CANARY = 'canary-5b1f';

let at: Awaited<ReturnType<typeof startProducerInstance>>;

beforeAll(async () => {
  at = await startProducerInstance();
});
afterAll(() => at.stop());
beforeEach(() => at.forgetLetters());

describe('an event on the ingestion queue', () => {
  it('becomes a record of the tenant its sender is registered on', async () => {
    const event = someEvent({ region: 'us-east-1' });
    const before = Date.now();

    await at.produce(event);
    await at.idle();

    const [record, ...others] = await at.recordsOf(event['event_id']);
    expect(record).toMatchObject({ tenant_id: 'acme', owner: 'team-search', cost_usd: '0.0045' });
    expect(Date.parse(String(record?.['created_at']))).toBeGreaterThanOrEqual(before);
    expect([others, await at.recordsOf(event['event_id'], at.globex)]).toEqual([[], []]);
  });

  it('makes one record with the same event sent by HTTP, whichever comes first', async () => {
    const [first, second] = [someEvent(), someEvent()];
    const post = (body: unknown) =>
      call(at.instance.baseUrl, '/api/v1/invocations', { key: at.acme.api_keys.ingest, body });

    await at.produce(first, first);
    await at.idle();
    await post({ ...first, ingestion_timestamp: new Date().toISOString() });
    await post(second);
    await at.produce({ ...second, event_id: String(second['event_id']).toUpperCase() });
    await at.idle();

    expect(await at.recordsOf(first['event_id'])).toHaveLength(1);
    expect(await at.recordsOf(second['event_id'])).toHaveLength(1);
  });

  it('cannot choose its tenant', async () => {
    const forged = someEvent();
    const named = someEvent({ tenant_id: 'globex' });

    await at.produce({ tenant_id: 'globex', received_at: Date.now(), events: [forged] }, named);
    await at.idle();

    expect(await at.recordsOf(forged['event_id'], at.globex)).toEqual([]);
    expect(await at.recordsOf(named['event_id'], at.globex)).toEqual([]);
    expect(await at.letters()).toMatchObject([
      { reason: 'invalid_event', tenant_id: 'acme', sender: SENDER },
    ]);
  });
});

describe('what cannot be recorded is set aside', () => {
  it('with its reason, its faults by pointer, and none of its content', async () => {
    const event = someEvent({ provider: '', prompt: CANARY, tags: [{ text: CANARY }] });

    await at.produce(event);
    await at.idle();

    const [letter, ...others] = await at.letters();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      reason: 'invalid_event',
      tenant_id: 'acme',
      sender: SENDER,
      events: [{ event_id: event['event_id'], provider: '' }],
      digest: null,
    });
    expect(letter?.detail).toMatch(/\/provider .+; .*\/tags\/0 /);
    expect(JSON.stringify(letter)).not.toContain(CANARY);
  });

  it('as no more than a digest when it cannot be parsed', async () => {
    await at.produce(`{"prompt": "${CANARY}"`);
    await at.idle();

    const [letter] = await at.letters();
    expect(letter).toMatchObject({ reason: 'malformed_message', tenant_id: 'acme', events: [] });
    expect(letter?.digest).toMatch(/^sha256:[0-9a-f]{64};bytes:24$/);
    expect(JSON.stringify(letter)).not.toContain(CANARY);
  });

  it('when its time is out of range', async () => {
    await at.produce(someEvent({ occurred_at: '2020-01-01T00:00:00Z' }));
    await at.idle();

    expect(await at.letters()).toMatchObject([
      { reason: 'invalid_event', detail: '/occurred_at must not be more than 13 months old' },
    ]);
  });

  it('without holding up what came with it', async () => {
    const events = Array.from({ length: 7 }, () => someEvent());

    await at.produce(
      '[',
      ...events.slice(0, 4),
      someEvent({ input_tokens: -1 }),
      ...events.slice(4),
      '"text"',
    );
    await at.idle();

    const recorded = await Promise.all(events.map((event) => at.recordsOf(event['event_id'])));
    expect(recorded.map((records) => records.length)).toEqual(Array(7).fill(1));
    expect((await at.letters()).map(({ reason }) => reason).toSorted()).toEqual([
      'invalid_event',
      'invalid_event',
      'malformed_message',
    ]);
  });

  it('event by event out of a packed message', async () => {
    const [good, bad] = [someEvent(), someEvent({ provider: 1 })];

    const message = { tenant_id: 'acme', received_at: Date.now(), events: [bad, good, CANARY] };
    await at.sendTo(at.deployment.output('QueueAccepted'), message);
    await at.idle();

    expect(await at.recordsOf(good['event_id'])).toHaveLength(1);
    const found = await at.letters();
    expect(found.map(({ events }) => events)).toEqual(
      expect.arrayContaining([[{}], [expect.objectContaining({ event_id: bad['event_id'] })]]),
    );
    expect(JSON.stringify(found)).not.toContain(CANARY);
  });
});

// The last test of this file: its message stays in flight until its visibility time-out.
it('does not let a message whose processing fails hold up the others of its batch', async () => {
  const broken = { tenant_id: `broken-${randomUUID()}`, received_at: Date.now(), events: [someEvent()] };
  const document = { pk: { S: `tenant#${broken.tenant_id}` }, document: { S: '{"no":"tenant"}' } };
  await at.dynamodb.send(
    new PutItemCommand({ TableName: at.deployment.output('TableTenants'), Item: document }),
  );
  const events = Array.from({ length: 6 }, () => someEvent());
  const messages = events.map((event) => ({ tenant_id: 'acme', received_at: Date.now(), events: [event] }));

  await at.sendTo(at.deployment.output('QueueAccepted'), broken, ...messages, broken);

  for (const event of events) {
    await expect.poll(() => at.recordsOf(event['event_id']), { timeout: 30_000 }).toHaveLength(1);
  }
  expect(await at.letters()).toEqual([]);
});
