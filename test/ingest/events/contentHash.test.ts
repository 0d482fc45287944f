import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentHash } from '../../../functions/ingest/events/contentHash.ts';
import { occurredAtOf } from '../../../functions/ingest/events/eventTimes.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { anEvent, anyEvent } from '../../attribution/engine/events.ts';

const stamp = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

describe('contentHash', () => {
  it('is unchanged when a retry has new timestamps', () => {
    fc.assert(
      fc.property(anyEvent, stamp, stamp, (event, ingestedAt, occurredAt) => {
        const retried = InvocationEvent.parse({
          ...event,
          ingestion_timestamp: ingestedAt,
          occurred_at: occurredAt,
        });

        expect(contentHash(retried)).toBe(contentHash(event));
      }),
    );
  });

  it('does not depend on the order of members, including nested ones', () => {
    const reversed = (value: object): object =>
      Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, name === 'cost_breakdown' ? reversed(member) : member]),
      );

    fc.assert(
      fc.property(anyEvent, (event) => {
        expect(contentHash(InvocationEvent.parse(reversed(event)))).toBe(contentHash(event));
      }),
    );
  });

  it.each([
    { input_tokens: 1_001 },
    { attributed_identity: 'team-other' },
    { estimated_cost_usd: '0' },
    { tags: [] },
    { batch: false },
    { event_id: '6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c12' },
  ])('changes when the event has %o', (members) => {
    expect(contentHash(anEvent(members))).not.toBe(contentHash(anEvent()));
  });

  it('ignores members that ingestion drops', () => {
    const event = InvocationEvent.parse({ ...anEvent(), prompt: 'secret', unknown: 1 });

    expect(contentHash(event)).toBe(contentHash(anEvent()));
  });

  it('treats an event id in upper case as the same event', () => {
    const event = anEvent({ event_id: '6F1F8F2E-8C61-4A0E-9B43-0D7F5B1F1C11' });

    expect(contentHash(event)).toBe(contentHash(anEvent()));
  });
});

it.each([
  [{ occurred_at: '2026-07-15T14:00:00+02:00' }, '2026-07-15T12:00:00.000Z'],
  [{ ingestion_timestamp: '2026-07-15T10:00:00.5Z' }, '2026-07-15T10:00:00.500Z'],
])('takes the time of a call with %o as %s', (members, at) => {
  expect(new Date(occurredAtOf(anEvent(members))).toISOString()).toBe(at);
});
