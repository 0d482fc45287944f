import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRetry, type RetryDecision } from '../../../functions/webhooks/deliveries/retrySchedule.ts';
import { newChallenge } from '../../../functions/webhooks/endpoints/challenge.ts';
import {
  applyAttemptResult,
  applyChallengeAnswer,
  disableByAdmin,
  EndpointState,
  enable,
  NO_SUCCESS_LIMIT_MS,
  pendingState,
  toAttemptResult,
} from '../../../functions/webhooks/endpoints/endpointState.ts';
import { unanswered } from '../egressOutcomes.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const made = (fill: number) => newChallenge((length) => new Uint8Array(length).fill(fill), NOW);
const { challenge, open } = made(1);
const other = made(2);
const pending = pendingState(open);
const verified: EndpointState = { status: 'verified', failing_since: null };

describe('a pending endpoint', () => {
  it('is verified by its challenge', () => {
    expect(applyChallengeAnswer(pending, challenge, NOW)).toEqual(verified);
  });

  it('stays pending by anything else', () => {
    expect(applyChallengeAnswer(pending, other.challenge, NOW)).toBeNull();
    expect(applyChallengeAnswer(pending, challenge, NOW + 86_400_000)).toBeNull();
  });

  it('that is challenged anew forgets the challenge before', () => {
    const anew = pendingState(other.open);

    expect(applyChallengeAnswer(anew, challenge, NOW)).toBeNull();
    expect(applyChallengeAnswer(anew, other.challenge, NOW)).toEqual(verified);
  });

  it.each(['succeeded', 'failed', 'gone'] as const)('learns nothing from an attempt that %s', (result) => {
    expect(applyAttemptResult(pending, result, NOW)).toBe(pending);
  });
});

describe('a verified endpoint', () => {
  it('cannot be verified once more', () => {
    expect(applyChallengeAnswer(verified, challenge, NOW)).toBeNull();
  });

  it('is disabled by the failure that comes five days after the first', () => {
    const failing = applyAttemptResult(verified, 'failed', NOW);

    expect(applyAttemptResult(failing, 'failed', NOW + NO_SUCCESS_LIMIT_MS - 1)).toEqual(failing);
    expect(applyAttemptResult(failing, 'failed', NOW + NO_SUCCESS_LIMIT_MS)).toEqual({
      status: 'disabled',
      reason: 'no_success',
      disabled_at: '2026-11-26T10:00:00.000Z',
      proven: false,
    });
  });

  it('begins anew with every success', () => {
    const failing = applyAttemptResult(verified, 'failed', NOW);
    const recovered = applyAttemptResult(failing, 'succeeded', NOW + NO_SUCCESS_LIMIT_MS - 1);

    expect(recovered).toEqual(verified);
    expect(applyAttemptResult(recovered, 'failed', NOW + NO_SUCCESS_LIMIT_MS).status).toBe('verified');
  });

  it('is not disabled for having had nothing to receive', () => {
    const long = NOW + 100 * NO_SUCCESS_LIMIT_MS;

    expect(applyAttemptResult(applyAttemptResult(verified, 'succeeded', NOW), 'failed', long).status).toBe(
      'verified',
    );
  });

  it('is disabled at once when it says that it is gone', () => {
    expect(applyAttemptResult(verified, 'gone', NOW)).toMatchObject({ status: 'disabled', reason: 'gone' });
  });
});

describe('a disabled endpoint', () => {
  it('goes on where an admin stopped it, with its failures forgotten', () => {
    const stopped = disableByAdmin(applyAttemptResult(verified, 'failed', NOW), NOW);

    expect(stopped).toMatchObject({ status: 'disabled', reason: 'admin', proven: true });
    expect(enable(stopped, other.open)).toEqual(verified);
  });

  it.each<[string, EndpointState]>([
    ['was never verified', disableByAdmin(pending, NOW)],
    ['was gone', applyAttemptResult(verified, 'gone', NOW)],
    [
      'failed for days',
      applyAttemptResult(applyAttemptResult(verified, 'failed', NOW), 'failed', NOW + NO_SUCCESS_LIMIT_MS),
    ],
    [
      'failed for days, whatever an admin adds',
      disableByAdmin(applyAttemptResult(verified, 'gone', NOW), NOW + 1),
    ],
  ])('that %s takes a new challenge', (_, standing) => {
    expect(enable(standing, other.open)).toEqual(pendingState(other.open));
  });

  it('is not brought back by an attempt that was under way, nor by a challenge', () => {
    const stopped = disableByAdmin(verified, NOW);

    expect(applyAttemptResult(stopped, 'succeeded', NOW)).toBe(stopped);
    expect(applyChallengeAnswer(stopped, challenge, NOW)).toBeNull();
  });

  it('alone is what enabling changes', () => {
    expect([enable(pending, other.open), enable(verified, other.open)]).toEqual([pending, verified]);
  });
});

it('is never verified but by its challenge, whatever happens', () => {
  type Move = (standing: EndpointState) => EndpointState;
  const moves: Move[] = [
    (standing) => disableByAdmin(standing, NOW),
    (standing) => enable(standing, open),
    (standing) => applyChallengeAnswer(standing, other.challenge, NOW) ?? standing,
    (standing) => applyAttemptResult(standing, 'succeeded', NOW),
    (standing) => applyAttemptResult(standing, 'failed', NOW + NO_SUCCESS_LIMIT_MS),
    (standing) => applyAttemptResult(standing, 'gone', NOW),
  ];

  fc.assert(
    fc.property(fc.array(fc.constantFrom(...moves)), (taken) => {
      const end = taken.reduce((standing, move) => move(standing), pending);

      expect(end.status).not.toBe('verified');
      expect(EndpointState.parse(end)).toEqual(end);
    }),
  );
});

describe('what an attempt says of its endpoint', () => {
  it.each<[RetryDecision, string | null]>([
    [{ kind: 'acknowledged' }, 'succeeded'],
    [{ kind: 'retry', at: NOW }, 'failed'],
    [{ kind: 'dead_lettered', reason: 'exhausted' }, 'failed'],
    [{ kind: 'dead_lettered', reason: 'refused' }, 'failed'],
    [{ kind: 'dead_lettered', reason: 'gone' }, 'gone'],
    [{ kind: 'dead_lettered', reason: 'too_large' }, null],
  ])('%o: %s', (next, expected) => {
    expect(toAttemptResult(next)).toBe(expected);
  });

  it('disables, in the end, an endpoint whose every event is dead-lettered', () => {
    let standing: EndpointState = verified;
    let at = NOW;
    for (let event = 0; event < 6; event += 1) {
      const firstAt = at;
      let next: RetryDecision = { kind: 'retry', at };
      for (let attempts = 1; next.kind === 'retry'; attempts += 1) {
        at = next.at;
        next = decideRetry(unanswered('connect'), { attempts, firstAt }, { now: at, uniform: () => 0.5 });
        const result = toAttemptResult(next);
        if (result !== null) standing = applyAttemptResult(standing, result, at);
      }
    }

    expect(standing).toMatchObject({ status: 'disabled', reason: 'no_success' });
  });
});
