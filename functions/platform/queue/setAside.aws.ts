import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { sqs } from '../shared/aws/sqs.client.ts';
import { isExhausted } from './failure.ts';

/** Moves a failed message out of its queue if it must not return. Returns whether it did. Rejects if that failed. */
export type SetAside = (record: SQSRecord, error: unknown) => Promise<boolean>;

/**
 * Sends exhausted messages to a dead-letter queue, unchanged. SQS itself would do so only after the receives that a
 * throttled message may need.
 */
export const setAsideExhausted =
  (deadLetterQueueUrl: string): SetAside =>
  async (record, error) => {
    if (!isExhausted(record, error)) return false;
    const { MessageGroupId } = record.attributes;
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: deadLetterQueueUrl,
        MessageBody: record.body,
        ...(MessageGroupId !== undefined && { MessageGroupId }),
      }),
    );
    return true;
  };
