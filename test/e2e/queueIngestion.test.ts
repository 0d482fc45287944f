import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aKey } from '../attribution/engine/events.ts';
import { bedrockRecord, litellmPayload, subscriptionMessage } from '../ingest/formats/logs.ts';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { SENDER, startProducerInstance } from './producerInstance.ts';

const CANARY = 'canary-5b1f';

const producer = await startProducerInstance();
afterAll(() => producer.stop());
beforeEach(() => producer.purgeDeadLetters());

describe('event on the ingestion queue', () => {
  it('creates a record of the tenant that the sender is registered for', async () => {
    const event = someEvent({ region: 'us-east-1' });
    const before = Date.now();

    await producer.produce(event);
    await producer.idle();

    const [record, ...others] = await producer.recordsOf(event['event_id']);
    expect(record).toMatchObject({ tenant_id: 'acme', owner: 'team-search', cost_usd: '0.0045' });
    expect(Date.parse(String(record?.['created_at']))).toBeGreaterThanOrEqual(before);
    expect([others, await producer.recordsOf(event['event_id'], producer.globex)]).toEqual([[], []]);
  });

  it('creates one record when the same event also arrives over HTTP, in either order', async () => {
    const [first, second] = [someEvent(), someEvent()];
    const post = (body: unknown) =>
      call(producer.instance.baseUrl, '/api/v1/invocations', { key: producer.acme.api_keys.ingest, body });

    await producer.produce(first, first);
    await producer.idle();
    await post({ ...first, ingestion_timestamp: new Date().toISOString() });
    await post(second);
    await producer.produce({ ...second, event_id: String(second['event_id']).toUpperCase() });
    await producer.idle();

    expect(await producer.recordsOf(first['event_id'])).toHaveLength(1);
    expect(await producer.recordsOf(second['event_id'])).toHaveLength(1);
  });

  it('may be the log of a gateway or provider, and belongs to the tenant of its sender', async () => {
    const id = `chatcmpl-${randomUUID()}`;
    const times = { startTime: Date.now() / 1_000, endTime: Date.now() / 1_000 };
    const record = () =>
      bedrockRecord({ requestId: randomUUID(), timestamp: new Date().toISOString() }, CANARY);

    await producer.produce(
      litellmPayload({ ...times, id, tenant_id: 'globex' }, CANARY),
      subscriptionMessage([record(), record()]),
    );
    await producer.idle();

    const records = await listAllRecords(producer.instance.baseUrl, producer.acme.api_keys.read);
    const logged = records.filter(({ service }) => service === 'checkout-assistant');
    expect(logged.map(({ ingestion_layer: layer, tenant_id }) => [layer, tenant_id]).toSorted()).toEqual([
      ['gateway', 'acme'],
      ['provider_log', 'acme'],
      ['provider_log', 'acme'],
    ]);
    expect(JSON.stringify(records)).not.toContain(CANARY);
  });
});

describe('dead-letter queue of ingestion', () => {
  it('receives an invalid event with reason and error pointers, without its content', async () => {
    const event = someEvent({ provider: '', prompt: CANARY, tags: [{ text: CANARY }] });

    await producer.produce(event);
    await producer.idle();

    const [letter, ...others] = await producer.deadLetters();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      reason: 'invalid_event',
      tenant_id: 'acme',
      sender: SENDER,
      events: [{ event_id: event['event_id'], provider: '' }],
      digest: null,
    });
    expect(letter?.detail).toMatch(/^\/provider [^;]+$/);
    expect(JSON.stringify(letter)).not.toContain(CANARY);
  });

  it('receives only a digest of a malformed message', async () => {
    await producer.produce(`{"prompt": "${CANARY}"`);
    await producer.idle();

    const [letter] = await producer.deadLetters();
    expect(letter).toMatchObject({ reason: 'malformed_message', tenant_id: 'acme', events: [] });
    expect(letter?.digest).toMatch(/^sha256:[0-9a-f]{64};bytes:24$/);
    expect(JSON.stringify(letter)).not.toContain(CANARY);
  });

  it('receives an event with noncharacters, which SQS rejects in a message', async () => {
    await producer.produce('{"provider":"a\\uffffb\\ufffe"}');
    await producer.idle();

    expect(await producer.deadLetters()).toMatchObject([{ reason: 'invalid_event', tenant_id: 'acme' }]);
  });

  it('receives invalid messages without delaying valid ones', async () => {
    const events = Array.from({ length: 7 }, () => someEvent());

    await producer.produce(
      '[',
      ...events.slice(0, 4),
      someEvent({ provider: '' }),
      ...events.slice(4),
      '"text"',
    );
    await producer.idle();

    const recorded = await Promise.all(events.map((event) => producer.recordsOf(event['event_id'])));
    expect(recorded.map((records) => records.length)).toEqual(Array(7).fill(1));
    expect((await producer.deadLetters()).map(({ reason }) => reason).toSorted()).toEqual([
      'invalid_event',
      'invalid_event',
      'malformed_message',
    ]);
  });

  it('receives the invalid events of a redriven message individually', async () => {
    const [good, bad] = [someEvent(), someEvent({ provider: 1 })];

    const events = [bad, good, CANARY];
    const message = { tenant_id: 'acme', stated_by: aKey, received_at: Date.now(), redriven: true, events };
    await producer.sendTo(producer.deployment.output('QueueAccepted'), message);
    await producer.idle();

    expect(await producer.recordsOf(good['event_id'])).toHaveLength(1);
    const deadLetters = await producer.deadLetters();
    expect(deadLetters.map(({ events }) => events)).toEqual(
      expect.arrayContaining([[{}], [expect.objectContaining({ event_id: bad['event_id'] })]]),
    );
    expect(JSON.stringify(deadLetters)).not.toContain(CANARY);
  });
});

// Must be the last test: its message stays in flight until the visibility timeout.
it('records the other messages of a batch when one message fails', async () => {
  const broken = {
    tenant_id: `broken-${randomUUID()}`,
    stated_by: aKey,
    received_at: Date.now(),
    events: [someEvent()],
  };
  const document = { pk: { S: `tenant#${broken.tenant_id}` }, document: { S: '{"no":"tenant"}' } };
  await producer.dynamodb.send(
    new PutItemCommand({ TableName: producer.deployment.output('TableTenants'), Item: document }),
  );
  const events = Array.from({ length: 6 }, () => someEvent());
  const messages = events.map((event) => ({
    tenant_id: 'acme',
    stated_by: aKey,
    received_at: Date.now(),
    events: [event],
  }));

  await producer.sendTo(producer.deployment.output('QueueAccepted'), broken, ...messages, broken);

  for (const event of events) {
    await expect.poll(() => producer.recordsOf(event['event_id'])).toHaveLength(1);
  }
  expect(await producer.deadLetters()).toEqual([]);
});
