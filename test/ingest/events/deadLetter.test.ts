import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DeadLetter,
  deadLetterReasons,
  scrubDeadLetter,
  toMessages,
} from '../../../functions/ingest/events/deadLetter.ts';
import { decideRedrive } from '../../../functions/ingest/events/redrive.ts';
import { INVOCATION_EVENT_FIELDS } from '../../../schemas/ingest/invocationEvent.ts';
import { aKey } from '../../attribution/engine/events.ts';
import { someEvent } from '../../support/client.ts';
import { contentNames } from './contentNames.ts';

/** The limit of SQS. */
const QUEUE_BYTES = 1_024 * 1_024;
const CANARY = 'canary-8d31';

const aboutEvents = (events: unknown[], members: Partial<DeadLetter> = {}): DeadLetter => ({
  reason: 'invalid_event',
  detail: '/provider must be text',
  tenant_id: 'acme',
  sender: null,
  stated_by: aKey,
  received_at: 1_773_576_000_000,
  residency: null,
  events,
  digest: null,
  ...members,
});

/** Anything that a producer can send as an event, with content in members outside the schema. */
const sent = fc.oneof(
  fc.constantFrom(CANARY, [CANARY], null, 7),
  fc
    .dictionary(
      fc.constantFrom(...contentNames, 'metadata'),
      fc.oneof(
        fc.constant(CANARY),
        fc.constant({ parts: [CANARY] }),
        fc.constantFrom(...contentNames).map((name) => [{ [name]: CANARY }]),
      ),
    )
    .map((members) => someEvent(members)),
);

const letter = fc.record({
  reason: fc.constantFrom(...deadLetterReasons),
  detail: fc.string(),
  tenant_id: fc.option(fc.string()),
  sender: fc.option(fc.string()),
  stated_by: fc.constant(aKey),
  received_at: fc.nat(),
  residency: fc.option(fc.string()),
  events: fc.array(sent, { maxLength: 5 }),
  digest: fc.option(fc.string()),
});

describe('a dead letter', () => {
  it('keeps its metadata and drops content', () => {
    fc.assert(
      fc.property(letter, (letter) => {
        const scrubbed = scrubDeadLetter(letter);

        expect({ ...scrubbed, events: [] }).toEqual({ ...letter, events: [] });
        expect(scrubbed.events).toHaveLength(letter.events.length);
        expect(JSON.stringify(scrubbed)).not.toContain(CANARY);
      }),
    );
  });

  it('has only schema members in its events', () => {
    fc.assert(
      fc.property(letter, (letter) => {
        const names = scrubDeadLetter(letter).events.flatMap((event) => Object.keys(Object(event)));

        expect(names.filter((name) => !INVOCATION_EVENT_FIELDS.has(name))).toEqual([]);
      }),
    );
  });

  it('is unchanged when it is scrubbed again', () => {
    fc.assert(
      fc.property(letter, (letter) => {
        const once = scrubDeadLetter(letter);

        expect(scrubDeadLetter(once)).toEqual(once);
      }),
    );
  });

  it('is redriven with the same events, tenant and arrival time', () => {
    const event = someEvent({ attributed_service: 'a\uffff' });
    const [body = ''] = toMessages(aboutEvents([{ ...event, prompt: CANARY }]));

    const decision = decideRedrive({ body, trusted: true, senderId: 'us', sentAt: 2 });

    expect(decision).toEqual({
      kind: 'tenant',
      reason: 'invalid_event',
      message: {
        tenant_id: 'acme',
        stated_by: aKey,
        received_at: 1_773_576_000_000,
        residency: null,
        events: [event],
      },
    });
  });

  it('of any size fits into messages of the queue, with all of its events', () => {
    const events = Array.from({ length: 4_000 }, (_, index) =>
      someEvent({ event_id: `event-${index}`, attributed_service: '\uffff'.repeat(60) }),
    );

    const messages = toMessages(aboutEvents(events, { detail: 'x'.repeat(QUEUE_BYTES) }));

    expect(Math.max(...messages.map((body) => Buffer.byteLength(body)))).toBeLessThan(QUEUE_BYTES);
    expect(messages.flatMap((body) => DeadLetter.parse(JSON.parse(body)).events)).toEqual(events);
  });

  it('is lost when only its digest was stored', () => {
    const letter = aboutEvents([], { reason: 'malformed_message', digest: 'sha256:0;bytes:1' });

    const decision = decideRedrive({
      body: JSON.stringify(scrubDeadLetter(letter)),
      trusted: true,
      senderId: 'us',
      sentAt: 2,
    });

    expect(decision).toEqual({ kind: 'lost', reason: 'malformed_message' });
  });
});
