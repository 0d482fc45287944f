import type { SQSRecord } from 'aws-lambda';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { BYTES_PER_ITEM } from '../../../schemas/platform/limits.ts';
import { type Provenance, provenanceOfSender, UNNAMED_PROVENANCE } from '../../ledger/records/provenance.ts';
import { ItemBudget, isTooLarge } from '../../platform/shared/itemBudget.ts';
import { parseContentJson, parseJson } from '../../platform/shared/json.ts';
import { memberAt } from '../../platform/shared/memberAt.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { TenantReader } from '../../platform/tenancy/tenant.store.ts';
import { logBudget, readCallLog } from '../formats/callLog.ts';
import { AcceptedMessage, type Counts, countsIn } from './acceptedMessage.ts';
import { type CheckedEvent, checkEvent } from './checkEvent.ts';
import { type DeadLetterReason, digestOf } from './deadLetter.ts';
import { countsOf } from './eventCounts.ts';
import { principalOf, tenantIdOfSender } from './sender.ts';

/** A parsed queue message: events of one tenant with their arrival time, or the reason why it has none. */
export interface InboundMessage {
  readonly tenantId: string | null;
  /** The AWS principal that sent it to the ingestion queue; null when it was sent by HTTP. */
  readonly sender: string | null;
  readonly statedBy: Provenance;
  /** The residency lane of the credential; null when it is not bound to a lane. */
  readonly residency: string | null;
  /** Epoch milliseconds; the same at every redelivery. */
  readonly receivedAt: number;
  /** The record of its only event, if the dedup claim was written before it was sent. */
  readonly claimed?: string | undefined;
  /** Whether the queue has delivered it before. */
  readonly isRedelivered: boolean;
  /** What the message adds to the counters of its tenant. */
  readonly counts: Counts;
  readonly events: readonly CheckedEvent[];
  readonly fault: DeadLetterReason | null;
  /** Digest of a body that could not be parsed. Such a body must not be stored, since it may contain prompts. */
  readonly digest: string | null;
}

/** SQS takes messages of up to 1 MiB. */
const MESSAGE_ITEMS_MAXIMUM = (1_024 * 1_024) / BYTES_PER_ITEM;

/** Null when the body is not JSON, or breaks the rules for bodies. */
export const parseBody = (body: string): { readonly value: unknown } | null => {
  try {
    return { value: parseJson(Buffer.from(body, 'utf8'), new ItemBudget(MESSAGE_ITEMS_MAXIMUM)) };
  } catch (error) {
    if (error instanceof ProblemError) return null;
    throw error;
  }
};

/** An event, a list of events, or the body of a batch as the API takes it. No event has a member `events`. */
const eventsOf = (value: unknown): readonly unknown[] => {
  const events = memberAt(value, 'events') ?? value;
  return Array.isArray(events) ? events : [value];
};

/**
 * The events in a producer's message: those of a call log of a known format, or else of {@link eventsOf}. A call log holds
 * content of any shape, so it may break the rules for bodies. Null when the body is not JSON, or has too many values.
 * `sentAt` is in epoch milliseconds.
 */
export const eventsInBody = (body: string, sentAt: number): readonly unknown[] | null => {
  const strict = parseBody(body);
  const budget = logBudget(MESSAGE_ITEMS_MAXIMUM);
  try {
    const parsed = strict ?? parseContentJson(body, budget.items);
    if (parsed === null) return null;
    const log = readCallLog(parsed.value, new Date(sentAt).toISOString(), new Set(), budget);
    if (log !== null) return log.events;
  } catch (error) {
    if (isTooLarge(error)) return null;
    throw error;
  }
  return strict === null ? null : eventsOf(strict.value);
};

/** Null when the body is no message of this stack. */
const parseAccepted = (body: string): AcceptedMessage | null => {
  try {
    return AcceptedMessage.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
};

/** An event that was checked when it came in. Its message has the count of what was dropped then. */
const trusted = (event: InvocationEvent): CheckedEvent => ({
  sent: event,
  event,
  dropped: { scrubbed: [] },
  errors: null,
});

/**
 * Reads a message. A tenant in the message is trusted only on the accepted queue, to which only this stack can send. On the
 * ingestion queue the tenant is derived from the sender, and the body holds events or a call log, which are checked here.
 * Rejects when the sender lookup fails.
 */
export const readInboundMessage = async (
  message: SQSRecord,
  context: {
    readonly trustedSource: string;
    readonly singleTenant: string | undefined;
    readonly tenants: Pick<TenantReader, 'tenantOfSender'>;
  },
): Promise<InboundMessage> => {
  const sentAt = Number(message.attributes.SentTimestamp);
  const isRedelivered = Number(message.attributes.ApproximateReceiveCount) > 1;
  const unreadable = {
    residency: null,
    counts: new Map(),
    events: [],
    fault: 'malformed_message',
    isRedelivered,
  } as const;

  if (message.eventSourceARN === context.trustedSource) {
    const accepted = parseAccepted(message.body);
    if (accepted === null)
      return {
        tenantId: null,
        sender: null,
        statedBy: provenanceOfSender(message.attributes.SenderId),
        receivedAt: sentAt,
        digest: digestOf(message.body),
        ...unreadable,
      };
    return {
      tenantId: accepted.tenant_id,
      sender: null,
      statedBy: accepted.stated_by ?? UNNAMED_PROVENANCE,
      residency: accepted.residency,
      receivedAt: accepted.received_at,
      // A redrive can come long after, when the claim may have been removed.
      claimed: accepted.redriven === true ? undefined : accepted.claimed,
      isRedelivered,
      counts: countsIn(accepted),
      events: accepted.events.map((event) =>
        accepted.redriven === true ? checkEvent(event, accepted.received_at) : trusted(event),
      ),
      fault: null,
      digest: null,
    };
  }

  const sender = principalOf(message.attributes.SenderId);
  const statedBy = provenanceOfSender(sender);
  const tenantId = await tenantIdOfSender(sender, context.tenants, context.singleTenant);
  const sent = eventsInBody(message.body, sentAt);
  if (sent === null)
    return { tenantId, sender, statedBy, receivedAt: sentAt, digest: digestOf(message.body), ...unreadable };
  const events = sent.map((event) => checkEvent(event, sentAt));
  const fault = tenantId === null ? 'unknown_sender' : null;
  return {
    tenantId,
    sender,
    statedBy,
    residency: null,
    receivedAt: sentAt,
    isRedelivered,
    counts: countsOf(events, sender),
    events,
    fault,
    digest: null,
  };
};
