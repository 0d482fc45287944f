import * as z from 'zod';
import { ChannelName } from '../../schemas/notifications.ts';

/** Milliseconds within which many notifications become a few messages. */
export const WINDOW_MS = 5 * 60 * 1_000;
/** Notifications of a window that are sent each by itself; what follows is told of together, at its end. */
export const INDIVIDUAL_MAXIMUM = 5;
/** Notifications that a digest can name; it counts the others. */
export const NAMED_MAXIMUM = 50;

/** What came in a window of a tenant. */
export const DigestWindow = z.object({
  /** Sent each by itself. */
  alone: z.int().min(0),
  /** Left to the digest. */
  later: z.int().min(0),
  /** The first of these, by their ULIDs. */
  named: z.array(z.string()).max(NAMED_MAXIMUM),
  /** The channels its digest goes to; null while it is open. */
  closed: z.array(ChannelName).nullable(),
});
export type DigestWindow = z.infer<typeof DigestWindow>;

export const emptyWindow: DigestWindow = { alone: 0, later: 0, named: [], closed: null };

/** The window an instant lies in, by its beginning; windows follow each other from midnight UTC on. Epoch milliseconds. */
export const windowStart = (now: number): number => Math.floor(now / WINDOW_MS) * WINDOW_MS;

/** How a notification is sent: by itself, or with others; the first of these has the window closed at its end. */
export const SendMode = z.enum(['alone', 'first_of_digest', 'in_digest']);
export type SendMode = z.infer<typeof SendMode>;

/** An open window with one notification more, and how that is told of. */
export const addToWindow = (window: DigestWindow, ulid: string): { window: DigestWindow; sent: SendMode } => {
  if (window.alone < INDIVIDUAL_MAXIMUM)
    return { window: { ...window, alone: window.alone + 1 }, sent: 'alone' };
  const named = window.named.length < NAMED_MAXIMUM ? [...window.named, ulid] : window.named;
  return {
    window: { ...window, later: window.later + 1, named },
    sent: window.later === 0 ? 'first_of_digest' : 'in_digest',
  };
};
