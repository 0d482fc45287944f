import { ChangeMessageVisibilityBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { HOUR_SECONDS } from '../../../schemas/durations.ts';
import { retryDelaySeconds } from '../../../schemas/platform/retryDelay.ts';
import { sqs } from '../shared/aws/sqs.client.ts';
import { describeError, log } from '../shared/log.ts';
import { isExhausted, receivesOf } from './failure.ts';
import type { FailureHandling } from './settleFailures.ts';

/** SQS takes at most 10 messages in one batch. */
const BATCH_MAXIMUM = 10;

/** The longest visibility timeout of SQS. A consumer that receives a message early returns it again. */
const WAIT_MAXIMUM_SECONDS = 12 * HOUR_SECONDS;

const nameOf = (locator: string): string => locator.split(/[:/]/).at(-1) ?? '';

/**
 * What becomes of the failed messages of a function whose sources are `queueUrls`. An exhausted one goes to the dead-letter
 * queue, unchanged: SQS itself would send it there only after the receives that a throttled message may need. Any other
 * becomes visible after its retry delay, instead of the visibility timeout of the queue, which covers the longest run of the
 * function. Without that call it returns later.
 */
export const failedMessages = (queueUrls: readonly string[], deadLetterQueueUrl: string): FailureHandling => {
  const urls = new Map(queueUrls.map((url) => [nameOf(url), url]));

  const returnFrom = async (
    QueueUrl: string | undefined,
    records: readonly SQSRecord[],
    wait: number | undefined,
  ): Promise<void> => {
    const waitSeconds = wait === undefined ? undefined : Math.ceil(Math.max(0, wait) / 1_000);
    await sqs.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl,
        Entries: records.map((record, index) => ({
          Id: String(index),
          ReceiptHandle: record.receiptHandle,
          VisibilityTimeout: Math.min(
            WAIT_MAXIMUM_SECONDS,
            waitSeconds ?? retryDelaySeconds(receivesOf(record)),
          ),
        })),
      }),
    );
  };

  return {
    setAside: async (record, error) => {
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
    },
    returnSoon: async (records, wait) => {
      for (const [arn, group] of Map.groupBy(records, ({ eventSourceARN }) => eventSourceARN)) {
        try {
          for (let at = 0; at < group.length; at += BATCH_MAXIMUM) {
            await returnFrom(urls.get(nameOf(arn)), group.slice(at, at + BATCH_MAXIMUM), wait);
          }
        } catch (error) {
          log({ level: 'warn', message: 'failed messages return late', ...describeError(error) });
        }
      }
    },
  };
};
