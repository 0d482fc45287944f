import * as z from 'zod';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import type { Counter } from '../../../schemas/tenants/counters.ts';
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
  /** What the request adds to the counters of its tenant. Only its first message has it. */
  counts: z.record(z.string(), z.int()).optional(),
  /** A counter that messages of an earlier release have beside `counts`. */
  dropped_members: z.int().optional(),
  /** An operator returned the events from a dead-letter queue. They may never have been valid. */
  redriven: z.boolean().optional(),
  /** The record of the only event, if the API has written its dedup claim. */
  claimed: z.string().optional(),
  events: z.array(z.custom<InvocationEvent>()),
});
export type AcceptedMessage = z.infer<typeof AcceptedMessage>;

/** What is added to the counters of a tenant. */
export type Counts = ReadonlyMap<Counter, number>;

/** The counts of a message. Only functions of this stack send them, so that they are names of counters. */
export const countsIn = ({
  counts = {},
  dropped_members,
}: Pick<AcceptedMessage, 'counts' | 'dropped_members'>): Counts =>
  z
    .custom<Counts>()
    .parse(new Map(Object.entries({ ...(dropped_members !== undefined && { dropped_members }), ...counts })));

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
 * The worker adds `counts` to the counters, because it writes those of many messages at once, which keeps the write out of
 * the request. They are sent even if there is no event.
 */
export const packMessages = (
  arrival: Omit<AcceptedMessage, 'events' | 'counts' | 'dropped_members'>,
  events: readonly string[],
  counts: Counts = new Map(),
): string[] => {
  const first = counts.size > 0 ? { counts: Object.fromEntries(counts) } : {};
  const headOf = (members: object): string => JSON.stringify({ ...arrival, ...members }).slice(0, -1);
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
  if (bodies.length === 0 && counts.size > 0) bodies.push(`${headOf(first)},"events":[]}`);
  return bodies;
};
