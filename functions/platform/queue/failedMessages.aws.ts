import { ChangeMessageVisibilityBatchCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { HOUR_SECONDS } from '../../../schemas/durations.ts';
import { retryDelaySeconds } from '../../../schemas/platform/retryDelay.ts';
import { sqs } from '../shared/aws/sqs.client.ts';
import { describeError, log } from '../shared/log.ts';

/** SQS takes at most 10 messages in one batch. */
const BATCH_MAXIMUM = 10;

/** The longest visibility timeout of SQS. A consumer that receives a message early returns it again. */
const WAIT_MAXIMUM_SECONDS = 12 * HOUR_SECONDS;

const nameOf = (locator: string): string => locator.split(/[:/]/).at(-1) ?? '';

/**
 * Returns a function that makes failed messages visible again after their retry delay, or after `wait` milliseconds, instead
 * of the visibility timeout of the queue, which covers the longest run of the function. `queueUrls` are the sources of the
 * function. Never throws: without this call a message returns later.
 */
export const failedMessages = (queueUrls: readonly string[]) => {
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
        Entries: records.map(({ receiptHandle, attributes }, index) => ({
          Id: String(index),
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: Math.min(
            WAIT_MAXIMUM_SECONDS,
            waitSeconds ?? retryDelaySeconds(Number(attributes.ApproximateReceiveCount)),
          ),
        })),
      }),
    );
  };

  return async (records: readonly SQSRecord[], wait?: number): Promise<void> => {
    for (const [arn, group] of Map.groupBy(records, ({ eventSourceARN }) => eventSourceARN)) {
      try {
        for (let at = 0; at < group.length; at += BATCH_MAXIMUM) {
          await returnFrom(urls.get(nameOf(arn)), group.slice(at, at + BATCH_MAXIMUM), wait);
        }
      } catch (error) {
        log({ level: 'warn', message: 'failed messages return late', ...describeError(error) });
      }
    }
  };
};
