import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../shared/aws/sqs.client.ts';
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

const groupIntoRequests = (bodies: readonly string[]): string[][] => {
  const requests: string[][] = [];
  let size = 0;
  for (const body of bodies) {
    const bytes = Buffer.byteLength(body);
    const open = requests.at(-1);
    if (open === undefined || open.length === ENTRIES_MAXIMUM || size + bytes > REQUEST_BYTES) {
      requests.push([body]);
      size = bytes;
    } else {
      open.push(body);
      size += bytes;
    }
  }
  return requests;
};

export const acceptedQueue = (queueUrl: string): AcceptedQueue => {
  const sendRequest = async (MessageGroupId: string, bodies: readonly string[]): Promise<void> => {
    const [only] = bodies;
    if (bodies.length === 1 && only !== undefined) {
      await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: only, MessageGroupId }));
      return;
    }
    const { Failed = [] } = await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: bodies.map((body, index) => ({ Id: String(index), MessageBody: body, MessageGroupId })),
      }),
    );
    if (Failed.length > 0) throw new Error(`SQS rejected ${Failed.length} of ${bodies.length} messages.`);
  };

  return {
    send: async (tenantId, bodies) => {
      await Promise.all(
        groupIntoRequests(bodies.map(escapeForSqs)).map((request) => sendRequest(tenantId, request)),
      );
    },
  };
};
