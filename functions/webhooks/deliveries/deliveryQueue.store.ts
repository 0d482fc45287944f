import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { queues } from '../../../schemas/platform/resources.ts';
import { sqs } from '../../shared/aws/sqs.client.ts';

/** Messages of one call. */
const BATCH_MAXIMUM = 10;

/** Has one attempt made at a delivery; it is of no more use once the delivery has come further. */
export const DeliveryMessage = z.object({
  tenant_id: z.string(),
  /** The ULID its id ends with. */
  endpoint: z.string(),
  dedup_key: z.string(),
  /** Attempts made before this one. */
  attempt: z.int().min(0),
  /** How often it came when the endpoint had its hands full. */
  deferrals: z.int().min(0).default(0),
});
export type DeliveryMessage = z.infer<typeof DeliveryMessage>;

export interface TimedMessage {
  readonly message: DeliveryMessage;
  /** Milliseconds until it is received, as far as a queue can wait. */
  readonly wait: number;
}

export interface DeliveryQueue {
  /** Throws when one of the messages could not be sent; others may have been. */
  readonly send: (messages: readonly TimedMessage[]) => Promise<void>;
}

const toDelaySeconds = (wait: number): number =>
  Math.max(0, Math.min(queues.deliveries.delaySeconds, Math.ceil(wait / 1_000)));

/** The queue of what is to be delivered; tenants take turns (fair queues: a message's group is its tenant). */
export const deliveryQueue = (queueUrl: string): DeliveryQueue => ({
  send: async (messages) => {
    for (let at = 0; at < messages.length; at += BATCH_MAXIMUM) {
      const { Failed = [] } = await sqs.send(
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
      if (Failed.length > 0) throw new Error('not every delivery could be put on its queue');
    }
  },
});
