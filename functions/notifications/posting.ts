import * as z from 'zod';
import { ChannelName } from '../../schemas/notifications.ts';
import type { Next } from '../webhooks/deliveries/schedule.ts';

/** How long whoever makes an attempt has it for itself, in milliseconds: longer than a worker may take. */
export const LEASE = 60_000;

/** A message to one channel of a tenant. */
export const Posting = z.object({
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
export type Posting = z.infer<typeof Posting>;

const instant = (at: number): string => new Date(at).toISOString();

/** A message that is due at once. `at` is epoch milliseconds, here and below. */
export const newPosting = (
  message: Pick<Posting, 'id' | 'channel' | 'named' | 'count'>,
  at: number,
): Posting => ({
  ...message,
  state: 'pending',
  attempts: 0,
  first_attempt_at: null,
  due_at: instant(at),
  created_at: instant(at),
});

/** The message while an attempt that begins at `at` is made: nobody else begins one before the lease has ended. */
export const claimed = (posting: Posting, at: number): Posting => ({
  ...posting,
  attempts: posting.attempts + 1,
  first_attempt_at: posting.first_attempt_at ?? instant(at),
  due_at: instant(at + LEASE),
});

/** The message after an attempt; `dropped` where there was nowhere to send it. */
export const settled = (posting: Posting, next: Next | { readonly kind: 'dropped' }): Posting => {
  switch (next.kind) {
    case 'retry':
      return { ...posting, due_at: instant(next.at) };
    case 'acknowledged':
      return { ...posting, state: 'sent' };
    case 'dead_lettered':
      return { ...posting, state: 'failed' };
    case 'dropped':
      return { ...posting, state: 'dropped' };
  }
};
