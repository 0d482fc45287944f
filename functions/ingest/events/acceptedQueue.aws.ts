import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { requireSent } from '../../platform/shared/aws/requireSent.ts';
import { sqs } from '../../platform/shared/aws/sqs.client.ts';
import { chunksWithin } from '../../platform/shared/chunksWithin.ts';
import { escapeForSqs } from './acceptedMessage.ts';

const ENTRIES_MAXIMUM = 10;
/** SQS limit for the total size of one batch request. */
const REQUEST_BYTES = 256 * 1_024;

export interface AcceptedQueue {
  /**
   * Resolves when all bodies are durable. Rejects when one is not; some bodies may have been sent then. The tenant is the
   * message group, so that a flood of one tenant does not delay the others (SQS fair queues).
   */
  readonly send: (tenantId: string, bodies: readonly string[]) => Promise<void>;
}

const LIMITS = { items: ENTRIES_MAXIMUM, size: REQUEST_BYTES };

export const acceptedQueue = (queueUrl: string): AcceptedQueue => {
  const sendRequest = async (MessageGroupId: string, bodies: readonly string[]): Promise<void> => {
    const [only] = bodies;
    if (bodies.length === 1 && only !== undefined) {
      await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: only, MessageGroupId }));
      return;
    }
    const { Failed } = await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: bodies.map((body, index) => ({ Id: String(index), MessageBody: body, MessageGroupId })),
      }),
    );
    requireSent(Failed);
  };

  return {
    send: async (tenantId, bodies) => {
      await Promise.all(
        chunksWithin(bodies.map(escapeForSqs), LIMITS, (body) => Buffer.byteLength(body)).map((request) =>
          sendRequest(tenantId, request),
        ),
      );
    },
  };
};
