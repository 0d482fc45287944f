import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import pMap from 'p-map';
import { sqs } from '../shared/aws/sqs.client.ts';
import { chunksOf } from '../shared/chunksOf.ts';
import { log } from '../shared/log.ts';
import type { Continuation } from './scheduleMessage.ts';

/** SQS takes at most 10 messages in one batch. */
const BATCH_MAXIMUM = 10;
/** Calls in flight. */
const CONCURRENCY = 8;

export interface TurnQueue {
  /** Throws when a message could not be sent, though a later attempt may. Others may have been sent. */
  readonly send: (messages: readonly { readonly tenant_id: string }[]) => Promise<void>;
  readonly sendContinuation: (message: Continuation) => Promise<void>;
}

/** A fair queue with a message group for each tenant: a tenant with much work does not delay the others. */
export const turnQueue = (queueUrl: string): TurnQueue => ({
  send: async (messages) => {
    const batches = chunksOf(messages, BATCH_MAXIMUM);
    const sendBatch = async (batch: typeof messages): Promise<void> => {
      const { Failed = [] } = await sqs.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: batch.map((message, index) => ({
            Id: String(index),
            MessageBody: JSON.stringify(message),
            MessageGroupId: message.tenant_id,
          })),
        }),
      );
      for (const { Id, SenderFault } of Failed) {
        if (SenderFault !== true) throw new Error(`SQS rejected ${Failed.length} messages of a batch`);
        // Every attempt would fail, and those behind it would never have their turn.
        const tenant_id = batch[Number(Id)]?.tenant_id ?? '';
        log({ level: 'error', message: 'SQS does not accept the message of a tenant', tenant_id });
      }
    };
    await pMap(batches, sendBatch, { concurrency: CONCURRENCY });
  },
  sendContinuation: async (message) => {
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(message) }));
  },
});
