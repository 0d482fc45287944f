import * as z from 'zod';
import { ChannelName } from '../../../schemas/delivery/notifications.ts';
import { MINUTE_MS } from '../../../schemas/durations.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { RetryDecision } from '../webhooks/deliveries/retrySchedule.ts';

/** How long a worker holds an attempt exclusively: longer than the worker's timeout. */
export const LEASE_MS = MINUTE_MS;
/** After this many attempts in a row without an outcome, about a quarter of an hour, a message fails. */
export const FAULTS_MAXIMUM = 10;
const BACKOFF_BASE_MS = 5_000;
const BACKOFF_FACTOR = 3;
const BACKOFF_CAP_MS = 300_000;

/** The longest delay after `faults` attempts without an outcome, in milliseconds. */
export const backoffCap = (faults: number): number =>
  Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * BACKOFF_FACTOR ** (faults - 1));

/** A message to one channel of a tenant. */
export const ChannelMessage = z.object({
  /** The ULID of its notification, or the start of the window for a digest. */
  id: z.string(),
  channel: ChannelName,
  /** The ULIDs of the notifications it lists. `count` is how many it reports, including those it does not list. */
  named: z.array(z.string()).min(1),
  count: z.int().min(1),
  /** `dropped`: not sent, because the tenant had removed the channel or nobody with the needed scopes authorizes it. */
  state: z.enum(['pending', 'sent', 'failed', 'dropped']),
  /** Number of attempts that were started. */
  attempts: z.int().min(0),
  /**
   * Attempts in a row without an outcome: they were not finished, or failed for a reason of the service. Counted here and
   * not by the queue, because a message that is sent again is a new one to the queue.
   */
  faults: z.int().min(0).default(0),
  first_attempt_at: z.iso.datetime().nullable(),
  /** When the next attempt may start. */
  due_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
});
export type ChannelMessage = z.infer<typeof ChannelMessage>;

/** A message that is due immediately. `at` is epoch milliseconds, here and below. */
export const newChannelMessage = (
  message: Pick<ChannelMessage, 'id' | 'channel' | 'named' | 'count'>,
  at: number,
): ChannelMessage => ({
  ...message,
  state: 'pending',
  attempts: 0,
  faults: 0,
  first_attempt_at: null,
  due_at: toIso(at),
  created_at: toIso(at),
});

/** The message during an attempt that starts at `at`. No other worker starts an attempt before the lease expires. */
export const claimAttempt = (message: ChannelMessage, at: number): ChannelMessage => ({
  ...message,
  attempts: message.attempts + 1,
  faults: message.faults + 1,
  first_attempt_at: message.first_attempt_at ?? toIso(at),
  due_at: toIso(at + LEASE_MS),
});

/**
 * What an attempt came to. `dropped` when the tenant has no such channel, or no one authorizes it any more. `faulted`
 * without an outcome; a throttled attempt does not count, because it says nothing about the message.
 */
export type AttemptResult =
  | RetryDecision
  | { readonly kind: 'dropped' }
  | { readonly kind: 'faulted'; readonly retryAt: number; readonly isThrottled: boolean };

/** Whether no attempt follows, although none had an outcome. */
export const isExhausted = ({ faults }: ChannelMessage): boolean => faults >= FAULTS_MAXIMUM;

/** The message after an attempt. */
export const recordAttempt = (message: ChannelMessage, next: AttemptResult): ChannelMessage => {
  switch (next.kind) {
    case 'retry':
      return { ...message, faults: 0, due_at: toIso(next.at) };
    case 'acknowledged':
      return { ...message, state: 'sent' };
    case 'dead_lettered':
      return { ...message, state: 'failed' };
    case 'dropped':
      return { ...message, state: 'dropped' };
    case 'faulted': {
      const faults = message.faults - (next.isThrottled ? 1 : 0);
      return { ...message, faults, due_at: toIso(next.retryAt) };
    }
  }
};

/** A message that failed after `attempts`, to try again from the start. Any other message as it is. */
export const revive = (message: ChannelMessage, failedAfter: number | undefined): ChannelMessage =>
  message.state === 'failed' && message.attempts === failedAfter
    ? { ...message, state: 'pending', attempts: 0, faults: 0, first_attempt_at: null }
    : message;
