import * as z from 'zod';
import { scrubEvent } from './contentScrubber.ts';

/** Why an event was set aside. */
export const deadLetterReasons = [
  'malformed_message',
  'invalid_event',
  'unknown_sender',
  'unknown_tenant',
  'attribution_failed',
] as const;
export type DeadLetterReason = (typeof deadLetterReasons)[number];

/**
 * An event set aside, as it lies in the dead-letter queue of the accepted queue. Content never gets here:
 * of an event only the members the allow-list knows are kept, of a body that cannot be parsed only its digest.
 */
export const DeadLetter = z.object({
  reason: z.enum(deadLetterReasons),
  detail: z.string(),
  tenant_id: z.string().nullable(),
  /** The AWS principal that sent it straight to the ingestion queue; null when it came by HTTP. */
  sender: z.string().nullable(),
  received_at: z.int(),
  residency: z.string().nullable().default(null),
  events: z.array(z.unknown()),
  /** SHA-256 and length of a body that was not kept. */
  digest: z.string().nullable(),
});
export type DeadLetter = z.infer<typeof DeadLetter>;

/** Only allow-listed members of the events travel on. */
export const scrubDeadLetter = (letter: DeadLetter): DeadLetter => ({
  ...letter,
  events: letter.events.map(scrubEvent),
});
