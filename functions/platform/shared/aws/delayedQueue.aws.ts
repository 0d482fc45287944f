import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { requireSent } from './requireSent.ts';
import { sqs } from './sqs.client.ts';

/** SQS takes at most 10 messages in one batch. */
const BATCH_MAXIMUM = 10;
/** SQS delays a message by at most 15 minutes. A consumer that receives a message early sends it again. */
const DELAY_MAXIMUM_SECONDS = 900;

export interface DelayedMessage<Message> {
  readonly message: Message;
  /** Milliseconds until the message should be received. Negative values count as 0, and SQS caps the delay at 15 minutes. */
  readonly wait: number;
}

export interface DelayedQueue<Message> {
  /** Throws when a message could not be sent. Other messages of the same call may have been sent. */
  readonly send: (messages: readonly DelayedMessage<Message>[]) => Promise<void>;
}

const toDelaySeconds = (wait: number): number =>
  Math.max(0, Math.min(DELAY_MAXIMUM_SECONDS, Math.ceil(wait / 1_000)));

/**
 * Sends messages with a delay each. The message group is the tenant, so that SQS fair queues share consumers between
 * tenants.
 */
export const delayedQueue = <Message extends { readonly tenant_id: string }>(
  queueUrl: string,
): DelayedQueue<Message> => ({
  send: async (messages) => {
    for (let at = 0; at < messages.length; at += BATCH_MAXIMUM) {
      const { Failed } = await sqs.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: messages.slice(at, at + BATCH_MAXIMUM).map(({ message, wait }, index) => ({
            Id: String(index),
            MessageBody: JSON.stringify(message),
            DelaySeconds: toDelaySeconds(wait),
            MessageGroupId: message.tenant_id,
          })),
        }),
      );
      requireSent(Failed);
    }
  },
});
