import { parseJson } from '../shared/json.ts';
import { ProblemError } from '../shared/problem.ts';
import { AcceptedMessage } from './acceptedMessage.ts';
import { scrubEvent } from './contentScrubber.ts';
import { DeadLetter } from './deadLetter.ts';

/** A message found in a dead-letter queue. `trusted` when only this stack can have put its body together. */
export interface DeadLetterMessage {
  readonly body: string;
  readonly trusted: boolean;
  readonly senderId: string;
  readonly sentAt: number;
}

/** How a message can go back: with its events and either its tenant or the sender to find the tenant by; or why not. */
export type RedriveDecision =
  | { readonly kind: 'tenant'; readonly reason: string; readonly message: AcceptedMessage }
  | {
      readonly kind: 'sender';
      readonly reason: string;
      readonly sender: string;
      readonly message: Omit<AcceptedMessage, 'tenant_id'>;
    }
  | { readonly kind: 'lost'; readonly reason: string };

const parseBody = (body: string): unknown => {
  try {
    return parseJson(Buffer.from(body, 'utf8'));
  } catch (error) {
    if (error instanceof ProblemError) return undefined;
    throw error;
  }
};

const RETRIES_EXHAUSTED = 'retries_exhausted';

/**
 * What becomes of a message in a dead-letter queue. Three kinds lie there: letters the worker wrote with a reason,
 * accepted messages whose retries ran out, and what a producer put on the ingestion queue whose retries ran out.
 * The last is read as an event and nothing else, whatever it looks like: its tenant follows from its sender.
 */
export const decideRedrive = ({ body, trusted, senderId, sentAt }: DeadLetterMessage): RedriveDecision => {
  const value = parseBody(body);
  if (!trusted) {
    if (value === undefined) return { kind: 'lost', reason: 'malformed_message' };
    return {
      kind: 'sender',
      reason: RETRIES_EXHAUSTED,
      sender: senderId,
      message: { received_at: sentAt, residency: null, events: [scrubEvent(value)] },
    };
  }
  const accepted = AcceptedMessage.safeParse(value).data;
  const letter = DeadLetter.safeParse(value).data;
  if (letter !== undefined) {
    const { reason, tenant_id, sender, received_at, residency, events } = letter;
    const message = { received_at, residency, events };
    if (events.length === 0) return { kind: 'lost', reason };
    if (tenant_id !== null) return { kind: 'tenant', reason, message: { tenant_id, ...message } };
    return sender === null ? { kind: 'lost', reason } : { kind: 'sender', reason, sender, message };
  }
  if (accepted !== undefined) return { kind: 'tenant', reason: RETRIES_EXHAUSTED, message: accepted };
  return { kind: 'lost', reason: 'malformed_message' };
};
