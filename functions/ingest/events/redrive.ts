import { provenanceOfSender } from '../../ledger/records/provenance.ts';
import { AcceptedMessage } from './acceptedMessage.ts';
import { scrubEvent } from './contentScrubber.ts';
import { DeadLetter } from './deadLetter.ts';
import { eventsInBody, parseBody } from './inboundMessage.ts';
import { principalOf } from './sender.ts';

/** A message in a dead-letter queue. `trusted` when only this stack can have written its body. */
export interface DeadLetterMessage {
  readonly body: string;
  readonly trusted: boolean;
  readonly senderId: string;
  readonly sentAt: number;
}

/** An accepted message whose events may be invalid. */
type RedrivenMessage = Omit<AcceptedMessage, 'events'> & { readonly events: readonly unknown[] };

/** How to redrive a message: with its tenant, with the sender that determines the tenant, or not at all (`lost`). */
export type RedriveDecision =
  | { readonly kind: 'tenant'; readonly reason: string; readonly message: RedrivenMessage }
  | {
      readonly kind: 'sender';
      readonly reason: string;
      readonly sender: string;
      readonly message: Omit<RedrivenMessage, 'tenant_id'>;
    }
  | { readonly kind: 'lost'; readonly reason: string };

const RETRIES_EXHAUSTED = 'retries_exhausted';

/**
 * Decides how to redrive a dead-lettered message. There are three kinds: dead letters that the worker wrote with a reason,
 * accepted messages whose retries are exhausted, and messages of the ingestion queue whose retries are exhausted. The last
 * kind is always read as a producer's message, whatever its content, and its tenant is derived from its sender.
 */
export const decideRedrive = ({ body, trusted, senderId, sentAt }: DeadLetterMessage): RedriveDecision => {
  if (!trusted) {
    const events = eventsInBody(body, sentAt);
    if (events === null) return { kind: 'lost', reason: 'malformed_message' };
    return {
      kind: 'sender',
      reason: RETRIES_EXHAUSTED,
      sender: senderId,
      message: {
        stated_by: provenanceOfSender(principalOf(senderId)),
        received_at: sentAt,
        residency: null,
        events: events.map(scrubEvent),
      },
    };
  }
  const value = parseBody(body)?.value;
  const accepted = AcceptedMessage.safeParse(value).data;
  const letter = DeadLetter.safeParse(value).data;
  if (letter !== undefined) {
    const { reason, tenant_id, sender, stated_by, received_at, residency, events } = letter;
    const message = { stated_by, received_at, residency, events };
    if (events.length === 0) return { kind: 'lost', reason };
    if (tenant_id !== null) return { kind: 'tenant', reason, message: { tenant_id, ...message } };
    return sender === null ? { kind: 'lost', reason } : { kind: 'sender', reason, sender, message };
  }
  if (accepted !== undefined) return { kind: 'tenant', reason: RETRIES_EXHAUSTED, message: accepted };
  return { kind: 'lost', reason: 'malformed_message' };
};
