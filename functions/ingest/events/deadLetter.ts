import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Provenance } from '../../ledger/records/provenance.ts';
import { chunksWithin } from '../../platform/shared/chunksWithin.ts';
import { escapeForSqs } from './acceptedMessage.ts';
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
 * A dead letter in the dead-letter queue of the accepted queue. It never has prompts or model output: only allow-listed
 * members of an event are kept, and only the digest of a body that cannot be parsed.
 */
export const DeadLetter = z.object({
  reason: z.enum(deadLetterReasons),
  detail: z.string(),
  tenant_id: z.string().nullable(),
  /** The AWS principal that sent it to the ingestion queue; null when it was sent by HTTP. */
  sender: z.string().nullable(),
  stated_by: Provenance.optional(),
  received_at: z.int(),
  residency: z.string().nullable().default(null),
  events: z.array(z.unknown()),
  /** SHA-256 and length of a body that was not kept. */
  digest: z.string().nullable(),
});
export type DeadLetter = z.infer<typeof DeadLetter>;

/** The only trace that is kept of a body that cannot be parsed. */
export const digestOf = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')};bytes:${Buffer.byteLength(text)}`;

/** Keeps only allow-listed members of the events. */
export const scrubDeadLetter = (letter: DeadLetter): DeadLetter => ({
  ...letter,
  events: letter.events.map(scrubEvent),
});

/** Most bytes of the events of a dead letter. SQS takes 1 MiB, and the rest of a letter is far below the difference. */
const EVENTS_BYTES = 900 * 1_024;
const DETAIL_LENGTH = 1_000;

/**
 * The queue messages of a dead letter, with only allow-listed members of the events. A message that a producer sent has up
 * to 1 MiB, and its dead letter more, so large ones are divided. A scrubbed event is far smaller.
 */
export const toMessages = (letter: DeadLetter): string[] => {
  const { events, detail, ...members } = scrubDeadLetter(letter);
  const head = { ...members, detail: detail.slice(0, DETAIL_LENGTH) };
  const texts = events.map((event) => escapeForSqs(JSON.stringify(event)));
  if (texts.length === 0) return [escapeForSqs(JSON.stringify({ ...head, events: [] }))];
  const limits = { items: Number.POSITIVE_INFINITY, size: EVENTS_BYTES };
  return chunksWithin(texts, limits, (text) => Buffer.byteLength(text) + 1).map(
    (chunk) => `${escapeForSqs(JSON.stringify(head)).slice(0, -1)},"events":[${chunk.join(',')}]}`,
  );
};
