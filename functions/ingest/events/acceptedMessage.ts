import * as z from 'zod';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { Provenance } from '../../ledger/records/provenance.ts';

/**
 * A message on the accepted queue: events of one tenant, with their arrival time (epoch milliseconds). Only functions of
 * this stack can send to the queue. So `tenant_id` is trusted, and the events were checked when they came in.
 */
export const AcceptedMessage = z.object({
  tenant_id: z.string(),
  /** Absent in messages of a release that did not send it. */
  stated_by: Provenance.optional(),
  received_at: z.int(),
  /** The data-residency lane of the credential; null: the tenant's home lane. */
  residency: z.string().nullable().default(null),
  /** Content members that ingestion dropped from the events of the request. Only its first message has the count. */
  dropped_members: z.int().optional(),
  /** Token counts of the request that made no event, by scope. Only its first message has them. */
  unread_usage: z.record(z.string(), z.int()).optional(),
  /** An operator returned the events from a dead-letter queue. They may never have been valid. */
  redriven: z.boolean().optional(),
  events: z.array(z.custom<InvocationEvent>()),
});
export type AcceptedMessage = z.infer<typeof AcceptedMessage>;

/**
 * Escapes U+FFFE and U+FFFF in JSON. SQS rejects them, but a label may contain them. Without the escape, one such label
 * would make every retry of its batch fail.
 */
export const escapeForSqs = (json: string): string =>
  json.replaceAll(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);

/** SQS bills requests in units of 64 KiB. A message slightly below this size is the cheapest. */
const MESSAGE_BYTES = 60 * 1_024;
/** Most events in a message. The worker finishes a full batch of ten such messages well within its timeout. */
const MESSAGE_EVENTS = 64;

/**
 * Packs serialized events into message bodies, in order. An event larger than `MESSAGE_BYTES` gets its own message.
 * `droppedMembers` is the number of content members that were dropped from all of them. The worker counts it, because it
 * writes the counts of many messages at once, which keeps the write out of the request. So it does with `unread`, token
 * counts that made no event, even if there is no event.
 */
export const packMessages = (
  arrival: Omit<AcceptedMessage, 'events' | 'dropped_members' | 'unread_usage'>,
  events: readonly string[],
  droppedMembers = 0,
  unread: ReadonlyMap<string, number> = new Map(),
): string[] => {
  const first = {
    ...(droppedMembers > 0 && { dropped_members: droppedMembers }),
    ...(unread.size > 0 && { unread_usage: Object.fromEntries(unread) }),
  };
  const headOf = (counts: object): string => JSON.stringify({ ...arrival, ...counts }).slice(0, -1);
  const bodies: string[] = [];
  let packed: string[] = [];
  let size = 0;
  const flush = () => {
    if (packed.length > 0) {
      const head = headOf(bodies.length === 0 ? first : {});
      bodies.push(`${head},"events":[${packed.join(',')}]}`);
    }
    packed = [];
    size = 0;
  };
  for (const event of events) {
    const bytes = Buffer.byteLength(event) + 1;
    if (size + bytes > MESSAGE_BYTES || packed.length === MESSAGE_EVENTS) flush();
    packed.push(event);
    size += bytes;
  }
  flush();
  if (bodies.length === 0 && unread.size > 0) bodies.push(`${headOf(first)},"events":[]}`);
  return bodies;
};
