import * as z from 'zod';
import { MINUTE_MS } from '../../../schemas/durations.ts';
import { ChannelName } from '../../../schemas/notifications.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { RetryDecision } from '../webhooks/deliveries/retrySchedule.ts';

/** How long a worker holds an attempt exclusively: longer than the worker's timeout. */
export const LEASE_MS = MINUTE_MS;

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
  first_attempt_at: null,
  due_at: toIso(at),
  created_at: toIso(at),
});

/** The message during an attempt that starts at `at`. No other worker starts an attempt before the lease expires. */
export const claimAttempt = (message: ChannelMessage, at: number): ChannelMessage => ({
  ...message,
  attempts: message.attempts + 1,
  first_attempt_at: message.first_attempt_at ?? toIso(at),
  due_at: toIso(at + LEASE_MS),
});

/** The message after an attempt. `dropped` when the tenant has no such channel, or no one authorizes it any more. */
export const recordAttempt = (
  message: ChannelMessage,
  next: RetryDecision | { readonly kind: 'dropped' },
): ChannelMessage => {
  switch (next.kind) {
    case 'retry':
      return { ...message, due_at: toIso(next.at) };
    case 'acknowledged':
      return { ...message, state: 'sent' };
    case 'dead_lettered':
      return { ...message, state: 'failed' };
    case 'dropped':
      return { ...message, state: 'dropped' };
  }
};
