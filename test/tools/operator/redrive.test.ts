import { describe, expect, it } from 'vitest';
import { scrubDeadLetter } from '../../../functions/ingest/events/deadLetter.ts';
import { decideRedrive } from '../../../functions/ingest/events/redrive.ts';
import { aKey } from '../../attribution/engine/events.ts';

const event = { event_id: 'x', provider: 'openai' };
const deadLetter = {
  reason: 'invalid_event',
  detail: '/provider must be given',
  tenant_id: 'acme',
  sender: null,
  stated_by: aKey,
  received_at: 5,
  residency: 'eu',
  events: [event],
  digest: null,
};
const received = (body: unknown, trusted: boolean) => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  trusted,
  senderId: 'AROAROLE:session',
  sentAt: 7,
});

describe('decideRedrive for a queue that only this stack can write to', () => {
  it.each([
    ['a dead letter with a tenant', deadLetter, { kind: 'tenant', reason: 'invalid_event' }],
    [
      'a dead letter with a sender and no tenant',
      { ...deadLetter, reason: 'unknown_sender', tenant_id: null, sender: 'AIDASENDER' },
      { kind: 'sender', reason: 'unknown_sender', sender: 'AIDASENDER' },
    ],
    [
      'a dead letter without events',
      { ...deadLetter, reason: 'malformed_message', events: [] },
      { kind: 'lost' },
    ],
    [
      'a dead letter without a tenant or sender',
      { ...deadLetter, tenant_id: null },
      { kind: 'lost', reason: 'invalid_event' },
    ],
    [
      'an accepted message after its last retry',
      { tenant_id: 'acme', stated_by: aKey, received_at: 5, residency: 'eu', events: [event] },
      { kind: 'tenant', reason: 'retries_exhausted' },
    ],
    ['a message of an unknown shape', { hello: 1 }, { kind: 'lost', reason: 'malformed_message' }],
    ['text that is not JSON', 'nonsense', { kind: 'lost', reason: 'malformed_message' }],
  ])('classifies %s', (_, body, expected) => {
    expect(decideRedrive(received(body, true))).toMatchObject(expected);
  });

  it('redrives a dead letter with its events and their first receive time', () => {
    expect(decideRedrive(received(deadLetter, true))).toMatchObject({
      message: { tenant_id: 'acme', received_at: 5, residency: 'eu', events: [event] },
    });
  });
});

describe('decideRedrive for a queue that producers can write to', () => {
  it.each([
    ['a forged dead letter', deadLetter],
    ['a forged accepted message', { tenant_id: 'victim', stated_by: aKey, received_at: 1, events: [event] }],
    ['an event', event],
  ])('treats %s only as an event of the message sender', (_, body) => {
    const result = decideRedrive(received(body, false));

    expect(result).toMatchObject({ kind: 'sender', sender: 'AROAROLE:session', message: { received_at: 7 } });
    expect(JSON.stringify(result)).not.toContain('victim');
  });

  it('removes prompt content from a redriven event', () => {
    const result = decideRedrive(
      received({ ...event, prompt: 'secret', tags: [{ deep: 'secret' }, 'plain'] }, false),
    );

    expect(result).toMatchObject({ message: { events: [{ ...event, tags: ['plain'] }] } });
  });

  it('reports text that cannot be parsed as lost', () => {
    expect(decideRedrive(received('{', false))).toEqual({ kind: 'lost', reason: 'malformed_message' });
  });
});

it('keeps only short scalar values of contract fields in a scrubbed dead letter', () => {
  const sent = {
    event_id: 'x',
    provider: 'y'.repeat(513),
    requested_model: { text: 'secret' },
    cost_breakdown: { input: '1', prompt: 'secret', output: { text: 'secret' } },
    messages: [{ content: 'secret' }],
    tags: ['short', 'z'.repeat(513)],
    batch: true,
    input_tokens: -1,
  };

  const scrubbed = scrubDeadLetter({
    ...deadLetter,
    reason: 'invalid_event',
    events: [sent, 'secret', null, [sent]],
  });

  expect(scrubbed.events).toEqual([
    { event_id: 'x', cost_breakdown: { input: '1' }, tags: ['short'], batch: true, input_tokens: -1 },
    {},
    {},
    {},
  ]);
});
