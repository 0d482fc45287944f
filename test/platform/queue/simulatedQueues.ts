import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { vi } from 'vitest';
import * as z from 'zod';
import { sqs } from '../../../functions/platform/shared/aws/sqs.client.ts';
import { type QueueName, queueNames, queues } from '../../../schemas/platform/queues.ts';
import { sqsRecord } from './sqsRecord.ts';

interface Message {
  readonly queue: QueueName;
  readonly body: string;
  /** Epoch milliseconds. */
  readonly sentAt: number;
  /** Epoch milliseconds. */
  visibleAt: number;
  /** Epoch milliseconds. */
  firstReceivedAt?: number;
  receives: number;
  /** How often a worker has acknowledged it. */
  acknowledged: number;
}

/** The limit of SQS for the body of a message. */
const BYTES_MAXIMUM = 1_024 * 1_024;

const Sent = z.object({ MessageBody: z.string(), DelaySeconds: z.number().default(0) });
const Call = z.object({
  QueueUrl: z.string(),
  MessageBody: z.string().optional(),
  Entries: z.array(z.looseObject({})).optional(),
});
const Visibility = z.object({ ReceiptHandle: z.string(), VisibilityTimeout: z.int() });

/**
 * All queues on the clock of the test, so that minutes of waiting take none. It replaces the client of SQS: what workers send,
 * their changes of visibility and their dead letters arrive here. A message is delivered again after it was acknowledged, until
 * it was delivered `copies` times.
 * A call for which `beforeCall` rejects has no effect.
 */
export const simulatedQueues = (
  clock: () => number,
  baseUrl: string,
  {
    copies = 1,
    beforeCall = async () => undefined,
  }: { readonly copies?: number; readonly beforeCall?: (input: unknown) => Promise<void> } = {},
) => {
  const messages = new Map<string, Message>();
  const deadLetters: string[] = [];
  let receivesMaximum = 0;
  let sent = 0;
  let bytesMaximum = 0;
  const bodies: string[] = [];

  const add = (queue: QueueName, body: string, delaySeconds: number): void => {
    const visibleAt = clock() + delaySeconds * 1_000;
    messages.set(`message-${sent}`, {
      queue,
      body,
      sentAt: clock(),
      visibleAt,
      receives: 0,
      acknowledged: 0,
    });
    sent += 1;
    bodies.push(`${queue} ${body}`);
  };
  const accept = (url: string, entry: unknown): void => {
    const queue = queueNames.find((name) => url === `${baseUrl}${name}`);
    const { MessageBody, DelaySeconds } = Sent.parse(entry);
    bytesMaximum = Math.max(bytesMaximum, Buffer.byteLength(MessageBody));
    if (Buffer.byteLength(MessageBody) > BYTES_MAXIMUM) throw new Error('InvalidParameterValue');
    if (queue === undefined) deadLetters.push(`${url.slice(baseUrl.length)} ${MessageBody}`);
    else add(queue, MessageBody, DelaySeconds);
  };
  vi.spyOn(sqs, 'send').mockImplementation(async ({ input }: { readonly input: unknown }) => {
    await beforeCall(input);
    const { QueueUrl, MessageBody, Entries = [] } = Call.parse(input);
    if (MessageBody !== undefined) accept(QueueUrl, input);
    for (const entry of Entries) {
      const { data } = Visibility.safeParse(entry);
      const message = messages.get(data?.ReceiptHandle.replace('handle of ', '') ?? '');
      if (data === undefined) accept(QueueUrl, entry);
      else if (message !== undefined) message.visibleAt = clock() + data.VisibilityTimeout * 1_000;
    }
    return {};
  });

  return {
    deadLetters,
    send: (queue: QueueName, body: string): void => add(queue, body, 0),
    /** The number of messages that were sent, and the bytes of the largest. */
    sent: () => ({ messages: sent, bytesMaximum }),
    /** What was sent about a tenant: the number of messages, and how often the most frequent one was sent. */
    sentAbout: (tenantId: string) => {
      const own = bodies.filter((body) => body.includes(tenantId));
      const times = [...Map.groupBy(own, (body) => body).values()].map(({ length }) => length);
      return { messages: own.length, mostOften: Math.max(0, ...times) };
    },
    /** Loses the messages of a queue. */
    lose: (queue: QueueName): void => {
      for (const [id, message] of messages) if (message.queue === queue) messages.delete(id);
    },
    /** Returns the dead letters of a queue to it, as new messages. */
    redrive: (queue: QueueName): void => {
      for (const line of deadLetters.splice(0)) {
        const [from = '', ...body] = line.split(' ');
        if (from.startsWith(queue)) add(queue, body.join(' '), 0);
        else deadLetters.push(line);
      }
    },
    waiting: (queue: QueueName): readonly Message[] =>
      [...messages.values()].filter((message) => message.queue === queue),
    isEmpty: (): boolean => messages.size === 0,
    size: (): number => messages.size,
    /** The most receives of a message. */
    receivesMaximum: () => receivesMaximum,
    /** When the next message becomes visible, epoch milliseconds. Infinity without one. */
    nextAt: (): number => Math.min(...[...messages.values()].map(({ visibleAt }) => visibleAt)),
    /** Passes the messages of a queue that are visible now to its worker, in batches. Resolves to the number of batches. */
    receive: async (
      queue: QueueName,
      batchMaximum: number,
      worker: (event: SQSEvent) => Promise<SQSBatchResponse>,
    ): Promise<number> => {
      const now = clock();
      const visible = [...messages].filter(
        ([, message]) => message.queue === queue && message.visibleAt <= now,
      );
      for (let at = 0; at < visible.length; at += batchMaximum) {
        const Records = visible.slice(at, at + batchMaximum).map(([id, message]) => {
          message.receives += 1;
          message.firstReceivedAt ??= now;
          receivesMaximum = Math.max(receivesMaximum, message.receives);
          return sqsRecord(id, {
            body: message.body,
            queue,
            receives: message.receives,
            // As old by the clock of the system, which the queue handler reads, as by the clock of the test.
            firstReceivedAt: Date.now() - (now - message.firstReceivedAt),
          });
        });
        const { batchItemFailures } = await worker({ Records });
        const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        for (const { messageId, body } of Records) {
          const isGivenUp = (messages.get(messageId)?.receives ?? 0) >= queues[queue].maxReceiveCount;
          if (failed.has(messageId) && isGivenUp) deadLetters.push(`${queue} ${body}`);
          const message = messages.get(messageId);
          if (message === undefined) continue;
          if (!failed.has(messageId)) message.acknowledged += 1;
          if (message.acknowledged === copies || isGivenUp) messages.delete(messageId);
        }
      }
      return Math.ceil(visible.length / batchMaximum);
    },
  };
};
export type SimulatedQueues = ReturnType<typeof simulatedQueues>;
