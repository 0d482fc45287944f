import * as z from 'zod';
import { DAY_MS, HOUR_MS } from '../../../../schemas/durations.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { BACKOFF_CAP_MS, type RetryDecision } from '../deliveries/retrySchedule.ts';
import { isChallengeAnswer, OpenChallenge } from './challenge.ts';

/** An endpoint is disabled when attempts have failed for this long without a success. */
export const NO_SUCCESS_LIMIT_MS = 5 * DAY_MS;
/**
 * The longest time between two failures that counts as failing: the longest pause between two attempts at an event. A time
 * without events says nothing about the endpoint.
 */
const FAILING_GAP_MS = BACKOFF_CAP_MS;
/** Failures closer to the last counted one add nothing, so that a busy endpoint is not rewritten with each attempt. */
const COUNTED_EVERY_MS = HOUR_MS;

export const DisabledReason = z.enum(['admin', 'gone', 'no_success', 'unauthorized']);
export type DisabledReason = z.infer<typeof DisabledReason>;

/** The state of an endpoint. Only a verified endpoint receives events. */
export const EndpointState = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), challenge: OpenChallenge }),
  z.object({
    status: z.literal('verified'),
    /** The first failure after the last success. Null while deliveries succeed, or before the first attempt. */
    failing_since: z.iso.datetime().nullable(),
    /** The last failure that was counted, and for how long attempts had failed then. Absent until the second one. */
    failing: z.object({ last: z.iso.datetime(), ms: z.int() }).optional(),
  }),
  z.object({
    status: z.literal('disabled'),
    reason: DisabledReason,
    disabled_at: z.iso.datetime(),
    /** Whether ownership of the URL was proven and is still assumed. If so, enabling needs no new challenge. */
    proven: z.boolean(),
  }),
]);
export type EndpointState = z.infer<typeof EndpointState>;

/** The state of a new endpoint, after a change of the URL, or after a new challenge. Earlier challenges become void. */
export const pendingState = (challenge: OpenChallenge): EndpointState => ({ status: 'pending', challenge });

/**
 * The state after an answer to the challenge at `now` (epoch milliseconds), either echoed by the receiver or sent by a
 * person. Null when the answer is wrong or expired. Then the challenge stays open.
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
  disabled_at: toIso(at),
  proven,
});

/** The state after an admin disables the endpoint. A disabled endpoint keeps its reason. */
export const disableByAdmin = (state: EndpointState, at: number): EndpointState =>
  state.status === 'disabled' ? state : disabledState('admin', at, state.status === 'verified');

/**
 * The state after an admin enables the endpoint. A proven endpoint is verified at once. An endpoint that failed for days
 * or answered 410 may have changed owner, so it needs a new challenge. So does an endpoint that was never verified.
 */
export const enable = (state: EndpointState, challenge: OpenChallenge): EndpointState => {
  if (state.status !== 'disabled') return state;
  return state.proven ? { status: 'verified', failing_since: null } : pendingState(challenge);
};

/**
 * The state after the endpoint lost its authorization at `at` (epoch milliseconds). Ownership of the URL is not in doubt,
 * so a verified endpoint needs no new challenge when a caller with all required scopes enables it.
 */
export const unauthorized = (state: EndpointState, at: number): EndpointState =>
  state.status === 'disabled' ? state : disabledState('unauthorized', at, state.status === 'verified');

/** Whether an admin has paused an endpoint whose ownership is proven: what is raised for it is kept for a day. */
export const isPaused = (state: EndpointState): boolean =>
  state.status === 'disabled' && state.reason === 'admin' && state.proven;

/** The result of an attempt as far as it concerns the endpoint. `gone`: the last attempt at an event was answered 410. */
export type AttemptResult = 'succeeded' | 'failed' | 'gone';

/** The result of an attempt. Null when it tells nothing about the endpoint. */
export const toAttemptResult = (next: RetryDecision): AttemptResult | null => {
  if (next.kind === 'acknowledged') return 'succeeded';
  if (next.kind === 'retry') return 'failed';
  if (next.reason === 'too_large' || next.reason === 'withheld') return null;
  return next.reason === 'gone' ? 'gone' : 'failed';
};

/**
 * The state after an attempt that ended at `at` (epoch milliseconds). An attempt that was in progress when the endpoint left
 * `verified` changes nothing.
 */
export const applyAttemptResult = (
  state: EndpointState,
  result: AttemptResult,
  at: number,
): EndpointState => {
  if (state.status !== 'verified') return state;
  const { failing_since: since } = state;
  if (result === 'succeeded') return since === null ? state : { status: 'verified', failing_since: null };
  if (result === 'gone') return disabledState('gone', at, false);
  if (since === null) return { ...state, failing_since: toIso(at) };
  const { last, ms } = state.failing ?? { last: since, ms: 0 };
  const gap = at - Date.parse(last);
  if (gap < COUNTED_EVERY_MS) return state;
  const failed = ms + Math.min(gap, FAILING_GAP_MS);
  if (failed >= NO_SUCCESS_LIMIT_MS) return disabledState('no_success', at, false);
  return { ...state, failing: { last: toIso(at), ms: failed } };
};
