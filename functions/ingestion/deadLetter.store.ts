import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { sqs } from '../shared/aws/sqs.client.ts';
import { escapeForSqs } from './acceptedMessage.ts';
import { type DeadLetter, scrubDeadLetter } from './deadLetter.ts';
import type { DeadLetterMessage } from './redrive.ts';

export interface DeadLetterQueue {
  /** Resolves once the letter is durable; only then may its message be acknowledged. */
  readonly put: (letter: DeadLetter) => Promise<void>;
}

export const deadLetterQueue = (queueUrl: string): DeadLetterQueue => ({
  put: async (letter) => {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: escapeForSqs(JSON.stringify(scrubDeadLetter(letter))),
        MessageAttributes: { reason: { DataType: 'String', StringValue: letter.reason } },
      }),
    );
  },
});

/** Longer than an operator's command works on what it holds. */
const HOLD_SECONDS = 300;

export interface ReceivedDeadLetter extends DeadLetterMessage {
  /** The same each time the message is taken, unlike its handle. */
  readonly id: string;
  readonly handle: string;
}

/** A dead-letter queue as an operator's command reads it. */
export const deadLetterReader = (queueUrl: string, trusted: boolean) => ({
  /** Up to ten messages, held from others meanwhile; none when the queue is empty. */
  take: async (): Promise<ReceivedDeadLetter[]> => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 1,
        VisibilityTimeout: HOLD_SECONDS,
        MessageSystemAttributeNames: ['SenderId', 'SentTimestamp'],
      }),
    );
    return Messages.map(({ Body = '', MessageId = '', ReceiptHandle = '', Attributes = {} }) => ({
      id: MessageId,
      body: Body,
      trusted,
      senderId: Attributes['SenderId'] ?? '',
      sentAt: Number(Attributes['SentTimestamp']),
      handle: ReceiptHandle,
    }));
  },
  remove: async (handle: string): Promise<void> => {
    await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: handle }));
  },
  /** Puts a message back at once. */
  release: async (handle: string): Promise<void> => {
    await sqs.send(
      new ChangeMessageVisibilityCommand({ QueueUrl: queueUrl, ReceiptHandle: handle, VisibilityTimeout: 0 }),
    );
  },
});
