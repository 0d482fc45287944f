import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { vi } from 'vitest';
import * as z from 'zod';
import { sqs } from '../../functions/shared/aws/sqs.client.ts';
import { queues } from '../../schemas/platform/queues.ts';
import { sqsRecord } from './sqsRecord.ts';

/** Lambda passes at most this many messages to a worker. */
const BATCH_MAXIMUM = 10;

interface Message {
  readonly body: string;
  /** Seconds. */
  visibleAt: number;
  receives: number;
}

const Visibility = z.object({
  Entries: z.array(z.object({ ReceiptHandle: z.string(), VisibilityTimeout: z.int() })),
});
const Sent = z.object({ MessageBody: z.string() });

/**
 * The queue `accepted` with a clock of its own, in seconds, so that minutes of waiting take none. It replaces the client of
 * SQS: a worker's changes of visibility and its dead letters arrive here.
 */
export const simulatedQueue = () => {
  const messages = new Map<string, Message>();
  const deadLetters: string[] = [];
  let receivesMaximum = 0;
  let invocationEndsAt = 0;
  let sent = 0;

  vi.spyOn(sqs, 'send').mockImplementation(async ({ input }: { readonly input: unknown }) => {
    const visibility = Visibility.safeParse(input);
    if (!visibility.success) {
      deadLetters.push(Sent.parse(input).MessageBody);
      return;
    }
    for (const { ReceiptHandle, VisibilityTimeout } of visibility.data.Entries) {
      const message = messages.get(ReceiptHandle.replace('handle of ', ''));
      if (message !== undefined) message.visibleAt = invocationEndsAt + VisibilityTimeout;
    }
  });

  return {
    deadLetters,
    depth: () => messages.size,
    receivesMaximum: () => receivesMaximum,
    send: (now: number, body: string): void => {
      messages.set(`message-${sent}`, { body, visibleAt: now, receives: 0 });
      sent += 1;
    },
    /** Passes the messages that are visible to the worker, which takes `seconds` for each batch. */
    receive: async (
      now: number,
      seconds: number,
      worker: (event: SQSEvent) => Promise<SQSBatchResponse>,
    ): Promise<void> => {
      invocationEndsAt = now + seconds;
      const visible = [...messages].filter(([, { visibleAt }]) => visibleAt <= now);
      for (let at = 0; at < visible.length; at += BATCH_MAXIMUM) {
        const Records = visible.slice(at, at + BATCH_MAXIMUM).map(([id, message]) => {
          message.receives += 1;
          receivesMaximum = Math.max(receivesMaximum, message.receives);
          return sqsRecord(id, { body: message.body, queue: 'accepted', receives: message.receives });
        });
        const { batchItemFailures } = await worker({ Records });
        const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        for (const { messageId, body } of Records) {
          const isGivenUp = (messages.get(messageId)?.receives ?? 0) >= queues.accepted.maxReceiveCount;
          if (failed.has(messageId) && isGivenUp) deadLetters.push(body);
          if (!failed.has(messageId) || isGivenUp) messages.delete(messageId);
        }
      }
    },
  };
};
