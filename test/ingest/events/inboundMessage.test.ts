import type { SQSRecord } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packMessages } from '../../../functions/ingest/events/acceptedMessage.ts';
import { readInboundMessage } from '../../../functions/ingest/events/inboundMessage.ts';
import { aKey } from '../../attribution/engine/events.ts';
import { someEvent } from '../../support/client.ts';

const ACCEPTED = 'arn:aws:sqs:us-east-1:000000000000:accepted';
const INGESTION = 'arn:aws:sqs:us-east-1:000000000000:ingestion';
const SENT = 1_773_576_000_000;

const messageOf = (eventSourceARN: string, body: string, SenderId = 'AIDASENDER'): SQSRecord => ({
  messageId: 'message',
  body,
  receiptHandle: 'handle',
  attributes: {
    ApproximateReceiveCount: '3',
    SentTimestamp: String(SENT),
    SenderId,
    ApproximateFirstReceiveTimestamp: String(SENT + 1),
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN,
  awsRegion: 'us-east-1',
});

const senders = new Map([
  ['AIDASENDER', 'acme'],
  ['AROAROLE', 'globex'],
]);
const context = {
  trustedSource: ACCEPTED,
  singleTenant: undefined,
  tenants: { tenantOfSender: async (principal: string) => senders.get(principal) ?? null },
};
const forged = JSON.stringify({
  tenant_id: 'victim',
  stated_by: aKey,
  received_at: 1,
  events: [{ event_id: 'x' }],
});

describe('readInboundMessage on the accepted queue', () => {
  it('takes tenant, arrival time and events from the message, without checking them again', async () => {
    const delivery = await readInboundMessage(messageOf(ACCEPTED, forged), context);

    expect(delivery).toEqual({
      tenantId: 'victim',
      residency: null,
      sender: null,
      statedBy: aKey,
      receivedAt: 1,
      isRedelivered: true,
      counts: new Map(),
      events: [
        { sent: { event_id: 'x' }, event: { event_id: 'x' }, dropped: { scrubbed: [] }, errors: null },
      ],
      fault: null,
      digest: null,
    });
  });

  it('checks each event that an operator returned from a dead-letter queue', async () => {
    const event = someEvent({ ingestion_timestamp: new Date(SENT).toISOString() });
    const redriven = {
      tenant_id: 'acme',
      stated_by: aKey,
      received_at: SENT,
      redriven: true,
      events: [{ event_id: 'x' }, event],
    };

    const { events } = await readInboundMessage(messageOf(ACCEPTED, JSON.stringify(redriven)), context);

    expect(events).toMatchObject([
      { sent: { event_id: 'x' }, event: null },
      { event, errors: null },
    ]);
  });

  it.each(['', 'not json', '{}', '{"tenant_id":"acme","received_at":1}', '[1]'])(
    'that reads %j is malformed and kept as a digest only',
    async (body) => {
      const delivery = await readInboundMessage(messageOf(ACCEPTED, body), context);

      expect(delivery).toMatchObject({ tenantId: null, events: [], fault: 'malformed_message' });
      expect(delivery.digest).toMatch(new RegExp(`^sha256:[0-9a-f]{64};bytes:${body.length}$`));
    },
  );
});

describe('readInboundMessage on the ingestion queue', () => {
  it('uses the tenant of the sender and ignores a tenant in the message', async () => {
    const delivery = await readInboundMessage(messageOf(INGESTION, forged), context);

    expect(delivery).toMatchObject({ tenantId: 'acme', sender: 'AIDASENDER', receivedAt: SENT, fault: null });
    expect(delivery.events).toMatchObject([{ sent: { event_id: 'x' }, event: null }]);
  });

  it('takes the events of each form that the API takes, and of a list', async () => {
    const events = [someEvent(), someEvent(), someEvent({ provider: 7 })];
    const bodies = [...events, events, { events }].map((body) => JSON.stringify(body));

    const [first, second, third, ...together] = await Promise.all(
      bodies.map(async (body) => (await readInboundMessage(messageOf(INGESTION, body), context)).events),
    );

    const alone = [first, second, third].flatMap((one) => one ?? []);
    expect(alone.map(({ errors }) => errors === null)).toEqual([true, true, false]);
    expect(together).toEqual([alone, alone]);
  });

  it('ignores the session name of a role', async () => {
    const delivery = await readInboundMessage(messageOf(INGESTION, '{}', 'AROAROLE:i-0123:x'), context);

    expect(delivery).toMatchObject({ tenantId: 'globex', sender: 'AROAROLE' });
  });

  it('returns no tenant and keeps the event for an unknown sender', async () => {
    const delivery = await readInboundMessage(messageOf(INGESTION, forged, 'AIDASTRANGER'), context);

    expect(delivery).toMatchObject({ tenantId: null, sender: 'AIDASTRANGER', fault: 'unknown_sender' });
    expect(delivery.events).toHaveLength(1);
  });

  it('uses the only tenant of a single-tenant stack for an unknown sender, but not for a registered one', async () => {
    const single = { ...context, singleTenant: 'only' };

    const deliveries = [
      await readInboundMessage(messageOf(INGESTION, '{}', 'AIDASTRANGER'), single),
      await readInboundMessage(messageOf(INGESTION, '{}'), single),
    ];

    expect(deliveries.map(({ tenantId }) => tenantId)).toEqual(['only', 'acme']);
  });

  it.each([
    ['no JSON', 'prompt: tell me'],
    ['nested too deep', '['.repeat(33) + ']'.repeat(33)],
    ['with a member that reaches a prototype', '{"__proto__":{"a":1}}'],
    ['with a member twice', '{"event_id":"a","event_id":"b"}'],
  ])('reports a body that is %s as malformed and keeps only its digest', async (_, body) => {
    const delivery = await readInboundMessage(messageOf(INGESTION, body), context);

    expect(delivery).toMatchObject({ tenantId: 'acme', events: [], fault: 'malformed_message' });
    expect(delivery.digest).not.toContain('tell me');
  });

  it('rejects when the sender lookup fails, so that the message is retried', async () => {
    const tenants = { tenantOfSender: () => Promise.reject(new Error('down')) };

    await expect(readInboundMessage(messageOf(INGESTION, '{}'), { ...context, tenants })).rejects.toThrow(
      'down',
    );
  });
});

describe('packMessages', () => {
  it('packs each event once, in order, into messages within the billing unit of 64 KiB', async () => {
    const events = fc.array(
      fc.record({
        id: fc.nat(),
        text: fc.integer({ min: 0, max: 30_000 }).map((length) => 'é'.repeat(length)),
      }),
      { maxLength: 12 },
    );

    await fc.assert(
      fc.asyncProperty(events, async (list) => {
        const bodies = packMessages(
          { tenant_id: 'acme', stated_by: aKey, received_at: SENT, residency: 'eu' },
          list.map((event) => JSON.stringify(event)),
        );

        const deliveries = await Promise.all(
          bodies.map((body) => readInboundMessage(messageOf(ACCEPTED, body), context)),
        );
        expect(deliveries.flatMap(({ events }) => events.map(({ event }) => event))).toEqual(list);
        expect(
          deliveries.every(
            ({ tenantId, receivedAt, residency }) =>
              tenantId === 'acme' && receivedAt === SENT && residency === 'eu',
          ),
        ).toBe(true);
        expect(bodies.every((body) => Buffer.byteLength(body) <= 64 * 1_024)).toBe(true);
      }),
    );
  });
});
