import * as z from 'zod';
import { Urgency } from './digestWindow.ts';

/** An event that may become a notification. */
export const EventMessage = z.object({ tenant_id: z.string(), event_id: z.string() });
export type EventMessage = z.infer<typeof EventMessage>;
/** A digest window to close. `window` is its start in epoch milliseconds. Ordinary by default. */
export const WindowMessage = z.object({
  tenant_id: z.string(),
  window: z.int(),
  urgency: Urgency.optional(),
});
export type WindowMessage = z.infer<typeof WindowMessage>;
/**
 * A channel message to send, named by its id. The queue determines the channel: mail is on the notifications queue, and
 * chat is on the deliveries queue.
 */
export const ChannelMessageJob = z.object({
  tenant_id: z.string(),
  posting: z.string(),
  /** Set in the dead-letter queue: the attempts after which the message failed. When it is redriven, it is tried again. */
  failed_after: z.int().optional(),
});
export type ChannelMessageJob = z.infer<typeof ChannelMessageJob>;

export const NotifyMessage = z.union([EventMessage, WindowMessage, ChannelMessageJob]);
export type NotifyMessage = z.infer<typeof NotifyMessage>;
