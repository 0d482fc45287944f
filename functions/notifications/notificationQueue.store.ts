import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { sqs } from '../shared/aws/sqs.client.ts';

/** Messages of one call. */
const BATCH_MAXIMUM = 10;
/** The longest SQS delays a message, in seconds; what is due later is delayed again. */
const DELAY_MAXIMUM = 900;

/** An event to tell of. */
export const EventMessage = z.object({ tenant_id: z.string(), event_id: z.string() });
export type EventMessage = z.infer<typeof EventMessage>;
/** A window to close, by its beginning. */
export const WindowMessage = z.object({ tenant_id: z.string(), window: z.int() });
/** A message to a channel: it is sent by whoever's queue this is on. */
export const ChannelMessageJob = z.object({ tenant_id: z.string(), posting: z.string() });
export type ChannelMessageJob = z.infer<typeof ChannelMessageJob>;

export const NotifyMessage = z.union([EventMessage, WindowMessage, ChannelMessageJob]);
export type NotifyMessage = z.infer<typeof NotifyMessage>;

export interface TimedMessage<Message> {
  readonly message: Message;
  /** Milliseconds until it is received, as far as the queue can wait. */
  readonly wait: number;
}

export interface NotificationQueue<Message> {
  /** Throws when one of the messages could not be sent; others may have been. */
  readonly send: (messages: readonly TimedMessage<Message>[]) => Promise<void>;
}

/** A queue of what is to be told; tenants take turns (fair queues: a message's group is its tenant). */
export const notificationQueue = <Message extends NotifyMessage>(
  queueUrl: string,
): NotificationQueue<Message> => ({
  send: async (messages) => {
    for (let at = 0; at < messages.length; at += BATCH_MAXIMUM) {
      const { Failed = [] } = await sqs.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: messages.slice(at, at + BATCH_MAXIMUM).map(({ message, wait }, index) => ({
            Id: String(index),
            MessageBody: JSON.stringify(message),
            DelaySeconds: Math.max(0, Math.min(DELAY_MAXIMUM, Math.ceil(wait / 1_000))),
            MessageGroupId: message.tenant_id,
          })),
        }),
      );
      if (Failed.length > 0) throw new Error('not every notification could be put on its queue');
    }
  },
});
