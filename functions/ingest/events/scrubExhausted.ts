import type { SQSRecord } from 'aws-lambda';
import { provenanceOfSender } from '../../ledger/records/provenance.ts';
import type { DeadLetterQueue } from './deadLetter.aws.ts';
import { type DeadLetter, digestOf } from './deadLetter.ts';
import { eventsInBody } from './inboundMessage.ts';
import { principalOf } from './sender.ts';

/** The dead letter of a producer's message. Its tenant is derived from its sender when it is redriven. */
const exhaustedDeadLetter = ({ body, attributes }: SQSRecord): DeadLetter => {
  const events = eventsInBody(body, Number(attributes.SentTimestamp));
  const sender = principalOf(attributes.SenderId);
  return {
    reason: 'retries_exhausted',
    detail: 'Every attempt to process the message failed.',
    tenant_id: null,
    sender,
    stated_by: provenanceOfSender(sender),
    received_at: Number(attributes.SentTimestamp),
    residency: null,
    events: events === null ? [] : [...events],
    digest: events === null ? digestOf(body) : null,
  };
};

/**
 * Dead-letters producers' messages that must not return. SQS would move their body to a dead-letter queue unchanged, with
 * any prompt in it. Messages of `trustedSource` are scrubbed already. Returns whether the message was dead-lettered, so that
 * it can be acknowledged. Rejects if that failed.
 */
export const scrubExhausted =
  (deps: {
    readonly deadLetters: DeadLetterQueue;
    readonly trustedSource: string;
    readonly isExhausted: (message: SQSRecord, error: unknown) => boolean;
  }) =>
  async (message: SQSRecord, error: unknown): Promise<boolean> => {
    if (message.eventSourceARN === deps.trustedSource || !deps.isExhausted(message, error)) return false;
    await deps.deadLetters.put(exhaustedDeadLetter(message));
    return true;
  };
