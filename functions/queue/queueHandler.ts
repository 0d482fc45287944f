import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { describeError, log } from '../shared/log.ts';

/**
 * Returns a queue handler that groups messages by key and handles all groups in parallel. When a group throws, all its messages
 * are reported as batch item failures and are retried after the visibility timeout. Other groups are acknowledged.
 */
export const groupedQueueHandler =
  (keyOf: (message: SQSRecord) => string, handle: (messages: readonly SQSRecord[]) => Promise<void>) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const failed = await Promise.all(
      [...Map.groupBy(event.Records, keyOf).values()].map(async (messages) => {
        try {
          await handle(messages);
          return [];
        } catch (error) {
          log({ level: 'error', message: 'message will be retried', ...describeError(error) });
          return messages.map(({ messageId }) => ({ itemIdentifier: messageId }));
        }
      }),
    );
    return { batchItemFailures: failed.flat() };
  };

/** Returns a queue handler for independent messages. */
export const queueHandler = (handle: (message: SQSRecord) => Promise<void>) =>
  groupedQueueHandler(
    ({ messageId }) => messageId,
    async (messages) => {
      await Promise.all(messages.map(handle));
    },
  );
