import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { describeError, log } from '../shared/log.ts';

/**
 * The handler of a queue: every message by itself, all at once. A message whose processing throws is reported as
 * failed and comes again after its visibility time-out; the others of the batch are done.
 */
export const queueHandler =
  (process: (message: SQSRecord) => Promise<void>) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const failed = await Promise.all(
      event.Records.map(async (message) => {
        try {
          await process(message);
          return [];
        } catch (error) {
          log({ level: 'error', message: 'message will be retried', ...describeError(error) });
          return [{ itemIdentifier: message.messageId }];
        }
      }),
    );
    return { batchItemFailures: failed.flat() };
  };
