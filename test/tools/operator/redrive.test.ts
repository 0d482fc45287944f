import { describe, expect, it } from 'vitest';
import { scrubDeadLetter } from '../../../functions/ingestion/deadLetter.ts';
import { decideRedrive } from '../../../functions/ingestion/redrive.ts';

const event = { event_id: 'x', provider: 'openai' };
const deadLetter = {
  reason: 'invalid_event',
  detail: '/provider must be given',
  tenant_id: 'acme',
  sender: null,
  received_at: 5,
  residency: 'eu',
  events: [event],
  digest: null,
};
const found = (body: unknown, trusted: boolean) => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  trusted,
  senderId: 'AROAROLE:session',
  sentAt: 7,
});

describe('where only this stack can write', () => {
  it.each([
    ['a letter with its tenant', deadLetter, { kind: 'tenant', reason: 'invalid_event' }],
    [
      'a letter with its sender alone',
      { ...deadLetter, reason: 'unknown_sender', tenant_id: null, sender: 'AIDASENDER' },
      { kind: 'sender', reason: 'unknown_sender', sender: 'AIDASENDER' },
    ],
    ['a letter without events', { ...deadLetter, reason: 'malformed_message', events: [] }, { kind: 'lost' }],
    [
      'a letter that names nobody',
      { ...deadLetter, tenant_id: null },
      { kind: 'lost', reason: 'invalid_event' },
    ],
    [
      'an accepted message whose retries ran out',
      { tenant_id: 'acme', received_at: 5, residency: 'eu', events: [event] },
      { kind: 'tenant', reason: 'retries_exhausted' },
    ],
    ['anything else', { hello: 1 }, { kind: 'lost', reason: 'malformed_message' }],
    ['no JSON', 'nonsense', { kind: 'lost', reason: 'malformed_message' }],
  ])('%s', (_, body, expected) => {
    expect(decideRedrive(found(body, true))).toMatchObject(expected);
  });

  it('a letter goes back with its events and the instant they first came', () => {
    expect(decideRedrive(found(deadLetter, true))).toMatchObject({
      message: { tenant_id: 'acme', received_at: 5, residency: 'eu', events: [event] },
    });
  });
});

describe('where producers can write', () => {
  it.each([
    ['a forged letter', deadLetter],
    ['a forged accepted message', { tenant_id: 'victim', received_at: 1, events: [event] }],
    ['an event', event],
  ])('%s is an event of whoever sent it and nothing else', (_, body) => {
    const result = decideRedrive(found(body, false));

    expect(result).toMatchObject({ kind: 'sender', sender: 'AROAROLE:session', message: { received_at: 7 } });
    expect(JSON.stringify(result)).not.toContain('victim');
  });

  it('content is left behind on the way back', () => {
    const result = decideRedrive(
      found({ ...event, prompt: 'secret', tags: [{ deep: 'secret' }, 'plain'] }, false),
    );

    expect(result).toMatchObject({ message: { events: [{ ...event, tags: ['plain'] }] } });
  });

  it('what cannot be parsed is lost', () => {
    expect(decideRedrive(found('{', false))).toEqual({ kind: 'lost', reason: 'malformed_message' });
  });
});

it('keeps of a set-aside event only short plain values of members the contract names', () => {
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

  const kept = scrubDeadLetter({
    ...deadLetter,
    reason: 'invalid_event',
    events: [sent, 'secret', null, [sent]],
  });

  expect(kept.events).toEqual([
    { event_id: 'x', cost_breakdown: { input: '1' }, tags: ['short'], batch: true, input_tokens: -1 },
    {},
    {},
    {},
  ]);
});
