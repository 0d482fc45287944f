import * as z from 'zod';

/**
 * A message on the accepted queue: events of one tenant that passed the edge, with the instant they did.
 * Only this stack's own functions can send there, which is what makes `tenant_id` trustworthy.
 */
export const AcceptedMessage = z.object({
  tenant_id: z.string(),
  received_at: z.int(),
  /** The data-residency lane of the credential they came with; null leaves them to the tenant's home lane. */
  residency: z.string().nullable().default(null),
  events: z.array(z.unknown()),
});
export type AcceptedMessage = z.infer<typeof AcceptedMessage>;

/**
 * JSON as a queue takes it: SQS refuses U+FFFE and U+FFFF, which a label may hold, so they travel escaped.
 * Unescaped, one such label would make its whole batch unsendable, for ever.
 */
export const escapeForSqs = (json: string): string =>
  json.replaceAll(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);

/** Messages are billed by 64 KiB: filled just below, one request carries the most for its price. */
const MESSAGE_BYTES = 60 * 1_024;
/** Ten such messages, a full batch of the worker's, are done well within its time-out even on a slow machine. */
const MESSAGE_EVENTS = 64;

/** Packs serialised events into message bodies, in order; an event larger than a message travels alone. */
export const packMessages = (
  arrival: Omit<AcceptedMessage, 'events'>,
  events: readonly string[],
): string[] => {
  const head = JSON.stringify(arrival).slice(0, -1);
  const bodies: string[] = [];
  let packed: string[] = [];
  let size = 0;
  const flush = () => {
    if (packed.length > 0) bodies.push(`${head},"events":[${packed.join(',')}]}`);
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
  return bodies;
};
