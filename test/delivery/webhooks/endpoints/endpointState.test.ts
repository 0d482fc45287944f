import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideRetry,
  type RetryDecision,
} from '../../../../functions/delivery/webhooks/deliveries/retrySchedule.ts';
import { newChallenge } from '../../../../functions/delivery/webhooks/endpoints/challenge.ts';
import {
  applyAttemptResult,
  applyChallengeAnswer,
  disableByAdmin,
  EndpointState,
  enable,
  NO_SUCCESS_LIMIT_MS,
  pendingState,
  toAttemptResult,
} from '../../../../functions/delivery/webhooks/endpoints/endpointState.ts';
import { DAY_MS, HOUR_MS } from '../../../../schemas/durations.ts';
import { unanswered } from '../egressOutcomes.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const made = (fill: number) => newChallenge((length) => new Uint8Array(length).fill(fill), NOW);
const { challenge, open } = made(1);
const other = made(2);
const pending = pendingState(open);
const verified: EndpointState = { status: 'verified', failing_since: null };
/** The state after attempts that failed from now until an instant. */
const failUntil = (until: number, everyHours = 6): EndpointState => {
  let state: EndpointState = verified;
  for (let at = NOW; at <= until; at += everyHours * HOUR_MS) state = applyAttemptResult(state, 'failed', at);
  return state;
};

describe('a pending endpoint', () => {
  it('is verified by its challenge', () => {
    expect(applyChallengeAnswer(pending, challenge, NOW)).toEqual(verified);
  });

  it('stays pending for a wrong or expired answer', () => {
    expect(applyChallengeAnswer(pending, other.challenge, NOW)).toBeNull();
    expect(applyChallengeAnswer(pending, challenge, NOW + 86_400_000)).toBeNull();
  });

  it('accepts only the latest of two challenges', () => {
    const challengedAgain = pendingState(other.open);

    expect(applyChallengeAnswer(challengedAgain, challenge, NOW)).toBeNull();
    expect(applyChallengeAnswer(challengedAgain, other.challenge, NOW)).toEqual(verified);
  });

  it.each(['succeeded', 'failed', 'gone'] as const)('does not change after an attempt that %s', (result) => {
    expect(applyAttemptResult(pending, result, NOW)).toBe(pending);
  });
});

describe('a verified endpoint', () => {
  it('cannot be verified again', () => {
    expect(applyChallengeAnswer(verified, challenge, NOW)).toBeNull();
  });

  it.each([1, 2, 6])(
    'is disabled when it has failed for five days, with an attempt every %d hours',
    (hours) => {
      expect(failUntil(NOW + NO_SUCCESS_LIMIT_MS - HOUR_MS, hours).status).toBe('verified');
      expect(failUntil(NOW + NO_SUCCESS_LIMIT_MS, hours)).toEqual({
        status: 'disabled',
        reason: 'no_success',
        disabled_at: '2026-11-26T10:00:00.000Z',
        proven: false,
      });
    },
  );

  it('is not disabled by failures with days between them in which nothing was attempted', () => {
    const days = Array.from({ length: 15 }, (_, day) => NOW + day * 5 * DAY_MS);
    const state = days.reduce<EndpointState>((one, at) => applyAttemptResult(one, 'failed', at), verified);

    expect(state.status).toBe('verified');
  });

  it('does not change with each of many failures', () => {
    const failing = applyAttemptResult(verified, 'failed', NOW);

    expect(applyAttemptResult(failing, 'failed', NOW + HOUR_MS - 1)).toBe(failing);
  });

  it('clears its failures with every success', () => {
    const failing = applyAttemptResult(verified, 'failed', NOW);
    const recovered = applyAttemptResult(failing, 'succeeded', NOW + NO_SUCCESS_LIMIT_MS - 1);

    expect(recovered).toEqual(verified);
    expect(applyAttemptResult(recovered, 'failed', NOW + NO_SUCCESS_LIMIT_MS).status).toBe('verified');
  });

  it('is not disabled after a long time without events', () => {
    const long = NOW + 100 * NO_SUCCESS_LIMIT_MS;

    expect(applyAttemptResult(applyAttemptResult(verified, 'succeeded', NOW), 'failed', long).status).toBe(
      'verified',
    );
  });

  it('is disabled at once when it answers 410', () => {
    expect(applyAttemptResult(verified, 'gone', NOW)).toMatchObject({ status: 'disabled', reason: 'gone' });
  });
});

describe('a disabled endpoint', () => {
  it('is verified again when an admin enables it, with its failures cleared', () => {
    const stopped = disableByAdmin(applyAttemptResult(verified, 'failed', NOW), NOW);

    expect(stopped).toMatchObject({ status: 'disabled', reason: 'admin', proven: true });
    expect(enable(stopped, other.open)).toEqual(verified);
  });

  it.each<[string, EndpointState]>([
    ['was never verified', disableByAdmin(pending, NOW)],
    ['was gone', applyAttemptResult(verified, 'gone', NOW)],
    ['failed for days', failUntil(NOW + NO_SUCCESS_LIMIT_MS)],
    [
      'answered 410 and was then disabled by an admin',
      disableByAdmin(applyAttemptResult(verified, 'gone', NOW), NOW + 1),
    ],
  ])('that %s needs a new challenge', (_, state) => {
    expect(enable(state, other.open)).toEqual(pendingState(other.open));
  });

  it('stays disabled after a late attempt or a challenge answer', () => {
    const stopped = disableByAdmin(verified, NOW);

    expect(applyAttemptResult(stopped, 'succeeded', NOW)).toBe(stopped);
    expect(applyChallengeAnswer(stopped, challenge, NOW)).toBeNull();
  });

  it('is the only state that enabling changes', () => {
    expect([enable(pending, other.open), enable(verified, other.open)]).toEqual([pending, verified]);
  });
});

it('becomes verified only by its own challenge, for any sequence of changes', () => {
  type Move = (state: EndpointState) => EndpointState;
  const moves: Move[] = [
    (state) => disableByAdmin(state, NOW),
    (state) => enable(state, open),
    (state) => applyChallengeAnswer(state, other.challenge, NOW) ?? state,
    (state) => applyAttemptResult(state, 'succeeded', NOW),
    (state) => applyAttemptResult(state, 'failed', NOW + NO_SUCCESS_LIMIT_MS),
    (state) => applyAttemptResult(state, 'gone', NOW),
  ];

  fc.assert(
    fc.property(fc.array(fc.constantFrom(...moves)), (taken) => {
      const end = taken.reduce((state, move) => move(state), pending);

      expect(end.status).not.toBe('verified');
      expect(EndpointState.parse(end)).toEqual(end);
    }),
  );
});

describe('toAttemptResult', () => {
  it.each<[RetryDecision, string | null]>([
    [{ kind: 'acknowledged' }, 'succeeded'],
    [{ kind: 'retry', at: NOW }, 'failed'],
    [{ kind: 'dead_lettered', reason: 'exhausted' }, 'failed'],
    [{ kind: 'dead_lettered', reason: 'refused' }, 'failed'],
    [{ kind: 'dead_lettered', reason: 'gone' }, 'gone'],
    [{ kind: 'dead_lettered', reason: 'too_large' }, null],
  ])('maps %o to %s', (next, expected) => {
    expect(toAttemptResult(next)).toBe(expected);
  });

  it('leads to a disabled endpoint when every event is dead-lettered', () => {
    let state: EndpointState = verified;
    let at = NOW;
    for (let event = 0; event < 6; event += 1) {
      const firstAt = at;
      let next: RetryDecision = { kind: 'retry', at };
      for (let attempts = 1; next.kind === 'retry'; attempts += 1) {
        at = next.at;
        next = decideRetry(unanswered('connect'), { attempts, firstAt }, { now: at, uniform: () => 0.5 });
        const result = toAttemptResult(next);
        if (result !== null) state = applyAttemptResult(state, result, at);
      }
    }

    expect(state).toMatchObject({ status: 'disabled', reason: 'no_success' });
  });
});
