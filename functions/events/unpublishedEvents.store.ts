import { SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { RaisedEvent } from '../../schemas/events.ts';
import { readDocument } from '../shared/aws/document.store.ts';
import { sqs } from '../shared/aws/sqs.client.ts';

/** Queue message: events of a tenant that the relay could not publish. */
export const UnpublishedMessage = z.object({ tenant_id: z.string(), event_ids: z.array(z.string()) });
export type UnpublishedMessage = z.infer<typeof UnpublishedMessage>;

export interface UnpublishedEvents {
  readonly send: (message: UnpublishedMessage) => Promise<void>;
  /** Reads the events of a message from the outbox. Expired events are left out. */
  readonly read: (message: UnpublishedMessage) => Promise<readonly RaisedEvent[]>;
}

export const unpublishedEvents = (outboxTable: string, queueUrl: string): UnpublishedEvents => ({
  send: async (message) => {
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(message) }));
  },
  read: async ({ tenant_id, event_ids }) => {
    const read = await Promise.all(
      event_ids.map((id) => readDocument(outboxTable, { pk: tenant_id, sk: id }, RaisedEvent)),
    );
    return read.filter((event) => event !== null);
  },
});
