import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { sqs } from '../../platform/shared/aws/sqs.client.ts';
import { type DeadLetter, toMessages } from './deadLetter.ts';
import type { DeadLetterMessage } from './redrive.ts';

export interface DeadLetterQueue {
  /** Resolves when the dead letter is durable. Acknowledge its message only after that. */
  readonly put: (letter: DeadLetter) => Promise<void>;
}

export const deadLetterQueue = (queueUrl: string): DeadLetterQueue => ({
  put: async (letter) => {
    for (const MessageBody of toMessages(letter)) {
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody,
          MessageAttributes: { reason: { DataType: 'String', StringValue: letter.reason } },
        }),
      );
    }
  },
});

/** Visibility timeout. Longer than an operator command needs for one batch. */
const HOLD_SECONDS = 300;

export interface ReceivedDeadLetter extends DeadLetterMessage {
  /** Message id. Unlike the receipt handle it is the same at each receive. */
  readonly id: string;
  readonly handle: string;
}

/** Reads a dead-letter queue for operator commands. */
export const deadLetterReader = (queueUrl: string, trusted: boolean) => ({
  /** Receives up to ten messages and hides them for `HOLD_SECONDS`. Empty when the queue is empty. */
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
  /** Makes a message visible again immediately. */
  release: async (handle: string): Promise<void> => {
    await sqs.send(
      new ChangeMessageVisibilityCommand({ QueueUrl: queueUrl, ReceiptHandle: handle, VisibilityTimeout: 0 }),
    );
  },
});
