import * as z from 'zod';
import { RETRY_AFTER_MAXIMUM_MS } from '../../../platform/egress/retryAfter.ts';
import { isHeld } from '../../../platform/shared/time/lease.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { BACKOFF_CAP_MS, type RetryDecision } from './retrySchedule.ts';

/** The longest pause between two attempts. */
const PAUSE_MAXIMUM_MS = BACKOFF_CAP_MS + RETRY_AFTER_MAXIMUM_MS;

/** The progress of a message towards its receiver: an endpoint, a chat, or the addresses of an e-mail. */
export const Progress = z.object({
  /** `dropped`: not sent, because the receiver is no longer in a state to receive it. */
  state: z.enum(['pending', 'acknowledged', 'dead_lettered', 'dropped']),
  /** Number of completed attempts. */
  attempts: z.int().min(0),
  first_attempt_at: z.iso.datetime().nullable(),
  /** When the next attempt is due. Once the message has ended, when the last attempt was due. */
  due_at: z.iso.datetime(),
});
export type Progress = z.infer<typeof Progress>;

/** Of a message that is due immediately. `at` is epoch milliseconds, here and below. */
export const newProgress = (at: number): Progress => ({
  state: 'pending',
  attempts: 0,
  first_attempt_at: null,
  due_at: toIso(at),
});

/** The message after an attempt that started at `at`. */
export const afterAttempt = <Message extends Progress>(
  message: Message,
  next: RetryDecision | { readonly kind: 'dropped' },
  at: number,
): Message => ({
  ...message,
  state: next.kind === 'retry' ? 'pending' : next.kind,
  attempts: message.attempts + 1,
  first_attempt_at: message.first_attempt_at ?? toIso(at),
  due_at: next.kind === 'retry' ? toIso(next.at) : message.due_at,
});

/** Milliseconds until a message is due. Not positive when it is due now. */
export const waitOf = ({ due_at }: Pick<Progress, 'due_at'>, now: number): number => {
  const until = Date.parse(due_at);
  return isHeld({ until }, PAUSE_MAXIMUM_MS, now) ? until - now : Math.min(0, until - now);
};
