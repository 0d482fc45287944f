import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Next, nextAfter } from '../../../functions/webhooks/deliveries/schedule.ts';
import { newChallenge } from '../../../functions/webhooks/endpoints/challenge.ts';
import {
  answered,
  attempted,
  attemptOf,
  challenged,
  disabledByAdmin,
  enabled,
  PATIENCE,
  Standing,
} from '../../../functions/webhooks/endpoints/endpoint.ts';
import { unanswered } from '../outcomes.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const made = (fill: number) => newChallenge((length) => new Uint8Array(length).fill(fill), NOW);
const { challenge, open } = made(1);
const other = made(2);
const pending = challenged(open);
const verified: Standing = { status: 'verified', failing_since: null };

describe('a pending endpoint', () => {
  it('is verified by its challenge', () => {
    expect(answered(pending, challenge, NOW)).toEqual(verified);
  });

  it('stays pending by anything else', () => {
    expect(answered(pending, other.challenge, NOW)).toBeNull();
    expect(answered(pending, challenge, NOW + 86_400_000)).toBeNull();
  });

  it('that is challenged anew forgets the challenge before', () => {
    const anew = challenged(other.open);

    expect(answered(anew, challenge, NOW)).toBeNull();
    expect(answered(anew, other.challenge, NOW)).toEqual(verified);
  });

  it.each(['succeeded', 'failed', 'gone'] as const)('learns nothing from an attempt that %s', (result) => {
    expect(attempted(pending, result, NOW)).toBe(pending);
  });
});

describe('a verified endpoint', () => {
  it('cannot be verified once more', () => {
    expect(answered(verified, challenge, NOW)).toBeNull();
  });

  it('is disabled by the failure that comes five days after the first', () => {
    const failing = attempted(verified, 'failed', NOW);

    expect(attempted(failing, 'failed', NOW + PATIENCE - 1)).toEqual(failing);
    expect(attempted(failing, 'failed', NOW + PATIENCE)).toEqual({
      status: 'disabled',
      reason: 'no_success',
      disabled_at: '2026-11-26T10:00:00.000Z',
      proven: false,
    });
  });

  it('begins anew with every success', () => {
    const failing = attempted(verified, 'failed', NOW);
    const recovered = attempted(failing, 'succeeded', NOW + PATIENCE - 1);

    expect(recovered).toEqual(verified);
    expect(attempted(recovered, 'failed', NOW + PATIENCE).status).toBe('verified');
  });

  it('is not disabled for having had nothing to receive', () => {
    const long = NOW + 100 * PATIENCE;

    expect(attempted(attempted(verified, 'succeeded', NOW), 'failed', long).status).toBe('verified');
  });

  it('is disabled at once when it says that it is gone', () => {
    expect(attempted(verified, 'gone', NOW)).toMatchObject({ status: 'disabled', reason: 'gone' });
  });
});

describe('a disabled endpoint', () => {
  it('goes on where an admin stopped it, with its failures forgotten', () => {
    const stopped = disabledByAdmin(attempted(verified, 'failed', NOW), NOW);

    expect(stopped).toMatchObject({ status: 'disabled', reason: 'admin', proven: true });
    expect(enabled(stopped, other.open)).toEqual(verified);
  });

  it.each<[string, Standing]>([
    ['was never verified', disabledByAdmin(pending, NOW)],
    ['was gone', attempted(verified, 'gone', NOW)],
    ['failed for days', attempted(attempted(verified, 'failed', NOW), 'failed', NOW + PATIENCE)],
    ['failed for days, whatever an admin adds', disabledByAdmin(attempted(verified, 'gone', NOW), NOW + 1)],
  ])('that %s takes a new challenge', (_, standing) => {
    expect(enabled(standing, other.open)).toEqual(challenged(other.open));
  });

  it('is not brought back by an attempt that was under way, nor by a challenge', () => {
    const stopped = disabledByAdmin(verified, NOW);

    expect(attempted(stopped, 'succeeded', NOW)).toBe(stopped);
    expect(answered(stopped, challenge, NOW)).toBeNull();
  });

  it('alone is what enabling changes', () => {
    expect([enabled(pending, other.open), enabled(verified, other.open)]).toEqual([pending, verified]);
  });
});

it('is never verified but by its challenge, whatever happens', () => {
  type Move = (standing: Standing) => Standing;
  const moves: Move[] = [
    (standing) => disabledByAdmin(standing, NOW),
    (standing) => enabled(standing, open),
    (standing) => answered(standing, other.challenge, NOW) ?? standing,
    (standing) => attempted(standing, 'succeeded', NOW),
    (standing) => attempted(standing, 'failed', NOW + PATIENCE),
    (standing) => attempted(standing, 'gone', NOW),
  ];

  fc.assert(
    fc.property(fc.array(fc.constantFrom(...moves)), (taken) => {
      const end = taken.reduce((standing, move) => move(standing), pending);

      expect(end.status).not.toBe('verified');
      expect(Standing.parse(end)).toEqual(end);
    }),
  );
});

describe('what an attempt says of its endpoint', () => {
  it.each<[Next, string | null]>([
    [{ kind: 'acknowledged' }, 'succeeded'],
    [{ kind: 'retry', at: NOW }, 'failed'],
    [{ kind: 'dead_lettered', reason: 'exhausted' }, 'failed'],
    [{ kind: 'dead_lettered', reason: 'refused' }, 'failed'],
    [{ kind: 'dead_lettered', reason: 'gone' }, 'gone'],
    [{ kind: 'dead_lettered', reason: 'too_large' }, null],
  ])('%o: %s', (next, expected) => {
    expect(attemptOf(next)).toBe(expected);
  });

  it('disables, in the end, an endpoint whose every event is dead-lettered', () => {
    let standing: Standing = verified;
    let at = NOW;
    for (let event = 0; event < 6; event += 1) {
      const firstAt = at;
      let next: Next = { kind: 'retry', at };
      for (let attempts = 1; next.kind === 'retry'; attempts += 1) {
        at = next.at;
        next = nextAfter(unanswered('connect'), { attempts, firstAt }, { now: at, uniform: () => 0.5 });
        const result = attemptOf(next);
        if (result !== null) standing = attempted(standing, result, at);
      }
    }

    expect(standing).toMatchObject({ status: 'disabled', reason: 'no_success' });
  });
});
