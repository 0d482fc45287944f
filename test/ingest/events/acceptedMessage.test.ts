import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AcceptedMessage,
  escapeForSqs,
  packMessages,
} from '../../../functions/ingest/events/acceptedMessage.ts';
import { aKey } from '../../attribution/engine/events.ts';

/** Bytes. Below the 64 KiB that SQS bills as one request, with a reserve for the envelope. */
const MAX_MESSAGE_BYTES = 61 * 1_024;

const event = fc.record({ text: fc.string({ unit: 'binary' }), size: fc.nat({ max: 20_000 }) });

describe('packMessages', () => {
  it('packs each event once, in order, with tenant and arrival time', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 30 }),
        fc.string(),
        fc.nat(),
        (events, tenantId, receivedAt) => {
          const sized = events.map(({ text, size }) => ({ text, padding: 'é'.repeat(size) }));

          const messages = packMessages(
            { tenant_id: tenantId, stated_by: aKey, received_at: receivedAt, residency: null },
            sized.map((one) => JSON.stringify(one)),
          ).map((body) => AcceptedMessage.parse(JSON.parse(body)));

          expect(messages.flatMap((message) => message.events)).toEqual(sized);
          for (const message of messages) {
            expect(message).toMatchObject({ tenant_id: tenantId, received_at: receivedAt });
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('carries counts once, however many messages the events need', () => {
    const events = Array.from({ length: 200 }, () => '{}');

    const bodies = packMessages(
      { tenant_id: 'acme', stated_by: aKey, received_at: 1, residency: null },
      events,
      new Map([['dropped_members', 7]]),
    );

    const counts = bodies.map((body) => AcceptedMessage.parse(JSON.parse(body)).counts);
    expect(counts).toEqual([{ dropped_members: 7 }, undefined, undefined, undefined]);
  });

  it('carries counts once, also without an event', () => {
    const arrival = { tenant_id: 'acme', stated_by: aKey, received_at: 1, residency: null };
    const unread = new Map([['unread_usage acme.tracer', 2] as const]);
    const countsIn = (events: readonly string[]) =>
      packMessages(arrival, events, unread).map((body) => AcceptedMessage.parse(JSON.parse(body)).counts);

    expect(countsIn([])).toEqual([{ 'unread_usage acme.tracer': 2 }]);
    expect(countsIn(Array.from({ length: 100 }, () => '{}'))).toEqual([
      { 'unread_usage acme.tracer': 2 },
      undefined,
    ]);
    expect(packMessages(arrival, [])).toEqual([]);
  });

  it('stays below the size limit unless a single event exceeds it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat({ max: 80_000 }), fc.nat({ max: 20 })), { maxLength: 150 }),
        (sizes) => {
          const bodies = packMessages(
            { tenant_id: 'acme', stated_by: aKey, received_at: 1, residency: null },
            sizes.map((size) => JSON.stringify('é'.repeat(size / 2))),
          );

          for (const body of bodies) {
            const { events } = AcceptedMessage.parse(JSON.parse(body));
            expect(events.length).toBeGreaterThan(0);
            expect(events.length).toBeLessThanOrEqual(64);
            if (events.length > 1) expect(Buffer.byteLength(body)).toBeLessThan(MAX_MESSAGE_BYTES);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ['small events, 64 in each', 300, 64],
    ['large events, 60 KiB in each', 2_000, Math.floor((60 * 1_024) / 2_001)],
  ])('returns the minimum number of messages: %s', (_, bytes, each) => {
    const events = Array.from({ length: 1_000 }, () => JSON.stringify('x'.repeat(bytes - 2)));

    expect(
      packMessages({ tenant_id: 'acme', stated_by: aKey, received_at: 1, residency: null }, events),
    ).toHaveLength(Math.ceil(1_000 / each));
  });

  it('returns no messages without events', () => {
    expect(packMessages({ tenant_id: 'acme', stated_by: aKey, received_at: 1, residency: null }, [])).toEqual(
      [],
    );
  });
});

describe('escapeForSqs', () => {
  it('returns equivalent JSON with only characters that SQS allows', () => {
    const character = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 1 }),
      fc.constantFrom('\ufffe', '\uffff', '\\'),
    );
    // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
    const allowed = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

    fc.assert(
      fc.property(fc.array(character), (characters) => {
        const value = { label: characters.join('') };

        const sent = escapeForSqs(JSON.stringify(value));

        expect(JSON.parse(sent)).toEqual(value);
        expect(sent).toMatch(allowed);
      }),
    );
  });
});
