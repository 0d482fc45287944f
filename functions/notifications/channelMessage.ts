import * as z from 'zod';
import { ChannelName } from '../../schemas/notifications.ts';
import type { RetryDecision } from '../webhooks/deliveries/retrySchedule.ts';

/** How long whoever makes an attempt has it for itself, in milliseconds: longer than a worker may take. */
export const LEASE_MS = 60_000;

/** A message to one channel of a tenant. */
export const ChannelMessage = z.object({
  /** The ULID of its notification, or the window of a digest. */
  id: z.string(),
  channel: ChannelName,
  /** The ULIDs of notifications it names, and how many it tells of. */
  named: z.array(z.string()).min(1),
  count: z.int().min(1),
  /** `dropped`: the tenant had closed the channel. */
  state: z.enum(['pending', 'sent', 'failed', 'dropped']),
  /** Attempts that were begun. */
  attempts: z.int().min(0),
  first_attempt_at: z.iso.datetime().nullable(),
  /** When the next attempt may begin. */
  due_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
});
export type ChannelMessage = z.infer<typeof ChannelMessage>;

const toIso = (at: number): string => new Date(at).toISOString();

/** A message that is due at once. `at` is epoch milliseconds, here and below. */
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

/** The message while an attempt that begins at `at` is made: nobody else begins one before the lease has ended. */
export const claimAttempt = (posting: ChannelMessage, at: number): ChannelMessage => ({
  ...posting,
  attempts: posting.attempts + 1,
  first_attempt_at: posting.first_attempt_at ?? toIso(at),
  due_at: toIso(at + LEASE_MS),
});

/** The message after an attempt; `dropped` where there was nowhere to send it. */
export const recordAttempt = (
  posting: ChannelMessage,
  next: RetryDecision | { readonly kind: 'dropped' },
): ChannelMessage => {
  switch (next.kind) {
    case 'retry':
      return { ...posting, due_at: toIso(next.at) };
    case 'acknowledged':
      return { ...posting, state: 'sent' };
    case 'dead_lettered':
      return { ...posting, state: 'failed' };
    case 'dropped':
      return { ...posting, state: 'dropped' };
  }
};
