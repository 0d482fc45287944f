import * as z from 'zod';
import type { RetryDecision } from '../deliveries/retrySchedule.ts';
import { isChallengeAnswer, OpenChallenge } from './challenge.ts';

/** An endpoint without one success for this long, in milliseconds, is disabled. */
export const NO_SUCCESS_LIMIT_MS = 5 * 24 * 60 * 60 * 1_000;

export const DisabledReason = z.enum(['admin', 'gone', 'no_success', 'unauthorized']);
export type DisabledReason = z.infer<typeof DisabledReason>;

/** Where an endpoint stands. Only a verified one is delivered to. */
export const EndpointState = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), challenge: OpenChallenge }),
  z.object({
    status: z.literal('verified'),
    /** The first failure after the last success; null while deliveries succeed, or none was tried. */
    failing_since: z.iso.datetime().nullable(),
  }),
  z.object({
    status: z.literal('disabled'),
    reason: DisabledReason,
    disabled_at: z.iso.datetime(),
    /** Whether ownership of the URL was proven, and nothing since casts doubt on it. */
    proven: z.boolean(),
  }),
]);
export type EndpointState = z.infer<typeof EndpointState>;

const timestamp = (at: number): string => new Date(at).toISOString();

/** A new endpoint, one whose URL changed, and a pending one that asks once more: an earlier challenge is void. */
export const pendingState = (challenge: OpenChallenge): EndpointState => ({ status: 'pending', challenge });

/**
 * After an answer to the challenge at `now` (epoch milliseconds), echoed by the receiver or given by a person. Null when
 * it proves nothing: the challenge stays open.
 */
export const applyChallengeAnswer = (
  state: EndpointState,
  answer: string,
  now: number,
): EndpointState | null =>
  state.status === 'pending' && isChallengeAnswer(state.challenge, answer, now)
    ? { status: 'verified', failing_since: null }
    : null;

const disabledState = (reason: DisabledReason, at: number, proven: boolean): EndpointState => ({
  status: 'disabled',
  reason,
  disabled_at: timestamp(at),
  proven,
});

/** After an admin disables it; a disabled one stays as it is. */
export const disableByAdmin = (state: EndpointState, at: number): EndpointState =>
  state.status === 'disabled' ? state : disabledState('admin', at, state.status === 'verified');

/**
 * After an admin enables it. What an admin stopped goes on where it was proven; what failed for days, or is gone, may have
 * changed hands and takes a new challenge, as does what was never proven.
 */
export const enable = (state: EndpointState, challenge: OpenChallenge): EndpointState => {
  if (state.status !== 'disabled') return state;
  return state.proven ? { status: 'verified', failing_since: null } : pendingState(challenge);
};

/**
 * After its authorization was lost, at `at` (epoch milliseconds). Nothing casts doubt on the URL, so that an endpoint that
 * was verified goes on without a challenge when somebody with all scopes enables it.
 */
export const unauthorized = (standing: EndpointState, at: number): EndpointState =>
  standing.status === 'disabled'
    ? standing
    : disabledState('unauthorized', at, standing.status === 'verified');

/** How an attempt went for the endpoint; `gone` is its own word (410). */
export type AttemptResult = 'succeeded' | 'failed' | 'gone';

/** How an attempt went, by what follows from it; null when it says nothing of the endpoint. */
export const toAttemptResult = (next: RetryDecision): AttemptResult | null => {
  if (next.kind === 'acknowledged') return 'succeeded';
  if (next.kind === 'retry') return 'failed';
  if (next.reason === 'too_large' || next.reason === 'withheld') return null;
  return next.reason === 'gone' ? 'gone' : 'failed';
};

/** After an attempt that ended at `at`. Attempts that were under way when the endpoint left `verified` change nothing. */
export const applyAttemptResult = (
  state: EndpointState,
  result: AttemptResult,
  at: number,
): EndpointState => {
  if (state.status !== 'verified') return state;
  if (result === 'succeeded') {
    return state.failing_since === null ? state : { ...state, failing_since: null };
  }
  if (result === 'gone') return disabledState('gone', at, false);
  const since = state.failing_since ?? timestamp(at);
  if (at - Date.parse(since) >= NO_SUCCESS_LIMIT_MS) return disabledState('no_success', at, false);
  return { ...state, failing_since: since };
};
