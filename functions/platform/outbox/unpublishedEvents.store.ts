import { SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { sqs } from '../shared/aws/sqs.client.ts';

/** The key of an item whose creation raised an event. */
export const ItemKey = z.object({ pk: z.string(), sk: z.string() });
export type ItemKey = z.infer<typeof ItemKey>;

/** Queue message: events of a tenant that a relay could not publish, by their ids or by the ledger items that raise them. */
export const UnpublishedMessage = z.object({
  tenant_id: z.string(),
  event_ids: z.array(z.string()).default([]),
  versions: z.array(ItemKey).default([]),
});
export type UnpublishedMessage = z.input<typeof UnpublishedMessage>;
/** A message as it was read. */
export type ReadMessage = z.infer<typeof UnpublishedMessage>;

export interface UnpublishedEvents {
  readonly send: (message: UnpublishedMessage) => Promise<void>;
}

export const unpublishedEvents = (queueUrl: string): UnpublishedEvents => ({
  send: async (message) => {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(message),
        MessageGroupId: message.tenant_id,
      }),
    );
  },
});
