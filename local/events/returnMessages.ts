import { ChangeMessageVisibilityBatchCommand, type Message, type SQSClient } from '@aws-sdk/client-sqs';
import { retryDelaySeconds } from '../../schemas/platform/retryDelay.ts';

interface SourceQueue {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  /** Seconds after which the queue itself makes a received message visible again. */
  readonly visibilitySeconds: number;
}

/** SQS changes at most ten messages per call. */
const CALL_LIMIT = 10;

/**
 * Makes the messages of a failed invocation visible again after the delay that workers use for failed messages, and never
 * later than the queue would. Rejects when the queue cannot be reached. The messages then return after the visibility
 * timeout.
 */
export const returnMessages = async (
  { sqs, queueUrl, visibilitySeconds }: SourceQueue,
  messages: readonly Message[],
): Promise<void> => {
  for (let start = 0; start < messages.length; start += CALL_LIMIT) {
    const Entries = messages.slice(start, start + CALL_LIMIT).map(({ ReceiptHandle, Attributes }, index) => ({
      Id: String(index),
      ReceiptHandle,
      VisibilityTimeout: Math.min(
        visibilitySeconds,
        retryDelaySeconds(Number(Attributes?.ApproximateReceiveCount)),
      ),
    }));
    await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }));
  }
};
