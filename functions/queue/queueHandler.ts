import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { describeError, log } from '../shared/log.ts';

/**
 * The handler of a queue whose messages belong together by a key: each group by itself, all at once. The messages of a
 * group whose processing throws are reported as failed and come again after their visibility time-out; the others of
 * the batch are done.
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

/** The same for messages that have nothing to do with each other. */
export const queueHandler = (handle: (message: SQSRecord) => Promise<void>) =>
  groupedQueueHandler(
    ({ messageId }) => messageId,
    async (messages) => {
      await Promise.all(messages.map(handle));
    },
  );
