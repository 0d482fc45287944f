import * as z from 'zod';
import { ChannelName } from '../../../schemas/delivery/notifications.ts';
import type { Severity } from '../../../schemas/delivery/severity.ts';
import { MINUTE_MS } from '../../../schemas/durations.ts';

/** Critical notifications have windows of their own, so that no digest of others delays them. */
export const Urgency = z.enum(['ordinary', 'critical']);
export type Urgency = z.infer<typeof Urgency>;

/** Length of a digest window. A critical message is promised within 30 seconds of its event (P95), also in a digest. */
export const WINDOW_MS: Readonly<Record<Urgency, number>> = { ordinary: 5 * MINUTE_MS, critical: 15_000 };
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

/** One digest window of a tenant. */
export interface WindowSpan {
  readonly urgency: Urgency;
  /** Epoch milliseconds. */
  readonly start: number;
}

export const urgencyOf = ({ severity }: { readonly severity: Severity }): Urgency =>
  severity === 'critical' ? 'critical' : 'ordinary';

/** The window that contains `now` (epoch milliseconds). Windows are aligned to midnight UTC. */
export const windowAt = (urgency: Urgency, now: number): WindowSpan => ({
  urgency,
  start: now - (now % WINDOW_MS[urgency]),
});

/** The exclusive end of a window in epoch milliseconds. It is the start of the next one. */
export const windowEnd = ({ urgency, start }: WindowSpan): number => start + WINDOW_MS[urgency];

/** Names the window among those of its tenant. */
export const windowName = ({ urgency, start }: WindowSpan): string =>
  urgency === 'ordinary' ? String(start) : `${start}-${urgency}`;

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
