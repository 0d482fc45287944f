import * as z from 'zod';
import { ChannelName } from '../../../schemas/delivery/notifications.ts';
import { MINUTE_MS } from '../../../schemas/durations.ts';

/** Length of a digest window. */
export const WINDOW_MS = 5 * MINUTE_MS;
/** The first notifications of a window are sent individually. The others go into one digest at the end of the window. */
export const INDIVIDUAL_MAXIMUM = 5;
/** The most notifications a digest lists. It only counts the others. */
export const NAMED_MAXIMUM = 50;

/** The notifications of a tenant in one window. */
export const DigestWindow = z.object({
  /** Number of notifications sent individually. */
  alone: z.int().min(0),
  /** Number of notifications in the digest. */
  later: z.int().min(0),
  /** The ULIDs of the notifications that the digest lists. */
  named: z.array(z.string()).max(NAMED_MAXIMUM),
  /** The channels that the digest was sent to. Null while the window is open. */
  closed: z.array(ChannelName).nullable(),
});
export type DigestWindow = z.infer<typeof DigestWindow>;

export const emptyWindow: DigestWindow = { alone: 0, later: 0, named: [], closed: null };

/** The start of the window that contains `now`. Windows are aligned to midnight UTC. Both are epoch milliseconds. */
export const windowStart = (now: number): number => Math.floor(now / WINDOW_MS) * WINDOW_MS;

/**
 * How a notification is sent: individually or in a digest. The first one of a digest schedules the closing of the window.
 */
export const SendMode = z.enum(['alone', 'first_of_digest', 'in_digest']);
export type SendMode = z.infer<typeof SendMode>;

/** Adds a notification to an open window. Returns the window and how the notification is sent. */
export const addToWindow = (window: DigestWindow, ulid: string): { window: DigestWindow; sent: SendMode } => {
  if (window.alone < INDIVIDUAL_MAXIMUM)
    return { window: { ...window, alone: window.alone + 1 }, sent: 'alone' };
  const named = window.named.length < NAMED_MAXIMUM ? [...window.named, ulid] : window.named;
  return {
    window: { ...window, later: window.later + 1, named },
    sent: window.later === 0 ? 'first_of_digest' : 'in_digest',
  };
};
