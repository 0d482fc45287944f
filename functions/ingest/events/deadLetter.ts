import * as z from 'zod';
import { scrubEvent } from './contentScrubber.ts';

/** Why an event was dead-lettered. */
export const deadLetterReasons = [
  'malformed_message',
  'invalid_event',
  'unknown_sender',
  'unknown_tenant',
  'attribution_failed',
  'retries_exhausted',
] as const;
export type DeadLetterReason = (typeof deadLetterReasons)[number];

/**
 * A dead letter in the dead-letter queue of the accepted queue. It never has prompts or model output: only allow-listed members
 * of an event are kept, and only the digest of a body that cannot be parsed.
 */
export const DeadLetter = z.object({
  reason: z.enum(deadLetterReasons),
  detail: z.string(),
  tenant_id: z.string().nullable(),
  /** The AWS principal that sent it to the ingestion queue; null when it was sent by HTTP. */
  sender: z.string().nullable(),
  received_at: z.int(),
  residency: z.string().nullable().default(null),
  events: z.array(z.unknown()),
  /** SHA-256 and length of a body that was not kept. */
  digest: z.string().nullable(),
});
export type DeadLetter = z.infer<typeof DeadLetter>;

/** Keeps only allow-listed members of the events. */
export const scrubDeadLetter = (letter: DeadLetter): DeadLetter => ({
  ...letter,
  events: letter.events.map(scrubEvent),
});
