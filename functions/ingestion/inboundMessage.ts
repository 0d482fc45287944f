import { createHash } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { parseJson } from '../shared/json.ts';
import { ProblemError } from '../shared/problem.ts';
import type { TenantReader } from '../tenancy/tenant.store.ts';
import { AcceptedMessage } from './acceptedMessage.ts';
import type { DeadLetterReason } from './deadLetter.ts';
import { principalOf, tenantIdOfSender } from './sender.ts';

/** What a queue message brings: events of one tenant and when they arrived, or why it brings none. */
export interface InboundMessage {
  readonly tenantId: string | null;
  /** The AWS principal that put it on the ingestion queue; null when it came by HTTP. */
  readonly sender: string | null;
  /** The lane its credential was bound to; null where it was not. */
  readonly residency: string | null;
  /** Epoch milliseconds; the same at every redelivery. */
  readonly receivedAt: number;
  readonly events: readonly unknown[];
  readonly fault: DeadLetterReason | null;
  /** Stands for a body that could not be parsed and therefore may not be kept. */
  readonly digest: string | null;
}

const digestOf = (body: string): string =>
  `sha256:${createHash('sha256').update(body).digest('hex')};bytes:${Buffer.byteLength(body)}`;

const parseBody = (body: string): { readonly value: unknown } | null => {
  try {
    return { value: parseJson(Buffer.from(body, 'utf8')) };
  } catch (error) {
    if (error instanceof ProblemError) return null;
    throw error;
  }
};

/**
 * Reads a message. Only the accepted queue, where nobody but this stack can send, is believed to name a tenant;
 * on the ingestion queue the tenant follows from who sent, and the body is one event.
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
  const parsed = parseBody(message.body);
  const unreadable = {
    residency: null,
    events: [],
    fault: 'malformed_message',
    digest: digestOf(message.body),
  } as const;

  if (message.eventSourceARN === context.trustedSource) {
    const accepted = AcceptedMessage.safeParse(parsed?.value).data;
    if (accepted === undefined) return { tenantId: null, sender: null, receivedAt: sentAt, ...unreadable };
    return {
      tenantId: accepted.tenant_id,
      sender: null,
      residency: accepted.residency,
      receivedAt: accepted.received_at,
      events: accepted.events,
      fault: null,
      digest: null,
    };
  }

  const sender = principalOf(message.attributes.SenderId);
  const tenantId = await tenantIdOfSender(sender, context.tenants, context.singleTenant);
  if (parsed === null) return { tenantId, sender, receivedAt: sentAt, ...unreadable };
  const fault = tenantId === null ? 'unknown_sender' : null;
  return {
    tenantId,
    sender,
    residency: null,
    receivedAt: sentAt,
    events: [parsed.value],
    fault,
    digest: null,
  };
};
