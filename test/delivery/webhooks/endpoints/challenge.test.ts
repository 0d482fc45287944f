import { timingSafeEqual } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  isChallengeAnswer,
  newChallenge,
  OpenChallenge,
  parseChallengeEcho,
} from '../../../../functions/delivery/webhooks/endpoints/challenge.ts';
import { answered, unanswered } from '../egressOutcomes.ts';

// Wraps the real comparison to count its calls.
vi.mock(import('node:crypto'), async (importOriginal) => {
  const original = await importOriginal();
  return { ...original, timingSafeEqual: vi.fn(original.timingSafeEqual) };
});
const comparisons = vi.mocked(timingSafeEqual);
beforeEach(() => {
  comparisons.mockClear();
});

const NOW = Date.parse('2026-11-21T10:00:00Z');
const DAY = 86_400_000;
const random = (length: number) => new Uint8Array(length).fill(7);
const { challenge, open } = newChallenge(random, NOW);

describe('newChallenge and isChallengeAnswer', () => {
  it('store only a hash of the challenge', () => {
    expect(challenge).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(JSON.stringify(open)).not.toContain(challenge);
    expect(OpenChallenge.parse(open)).toEqual(open);
  });

  it.each([
    [0, true],
    [DAY - 1, true],
    [DAY, false],
  ])('accept the challenge %d ms after its creation: %s', (later, expected) => {
    expect(isChallengeAnswer(open, challenge, NOW + later)).toBe(expected);
  });

  it.each([['another'], [''], ['é'.repeat(43)], ['a'.repeat(100_000)]])(
    'reject a wrong answer with a constant-time comparison: %.9s',
    (answer) => {
      expect(isChallengeAnswer(open, answer, NOW)).toBe(false);
      expect(comparisons).toHaveBeenCalledTimes(1);
    },
  );
});

describe('parseChallengeEcho', () => {
  it.each([200, 201, 299])('returns the top-level challenge of a %d response', (status) => {
    expect(parseChallengeEcho(answered(status, null, '{"challenge":"c","more":1}'))).toBe('c');
  });

  it.each([
    ['the reflected event', '{"id":"evt_1","data":{"challenge":"c"}}'],
    ['an HTML page that contains it', '<html>{"challenge":"c"}</html>'],
    ['text', 'c'],
    ['a string', '"c"'],
    ['a number', '{"challenge":1}'],
    ['a list', '[{"challenge":"c"}]'],
    ['nothing', ''],
  ])('returns null for %s', (_, body) => {
    expect(parseChallengeEcho(answered(200, null, body))).toBeNull();
  });

  it('returns null for an error status, a truncated body, invalid UTF-8 or no response', () => {
    const good = answered(200, null, '{"challenge":"c"}');
    const odd = Buffer.from([...Buffer.from('{"challenge":"'), 0xff, ...Buffer.from('"}')]);

    expect([
      parseChallengeEcho({ ...good, status: 400 }),
      parseChallengeEcho({ ...good, truncated: true }),
      parseChallengeEcho({ ...good, body: odd }),
      parseChallengeEcho(unanswered('redirect')),
    ]).toEqual([null, null, null, null]);
  });
});
