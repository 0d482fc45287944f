import { AsyncLocalStorage } from 'node:async_hooks';
import type { buildApp } from 'fauxqs';
import * as z from 'zod';
import { type GroupLoad, noisyGroups, quietFirst, shareAfter } from './noisyGroups.ts';

type App = ReturnType<typeof buildApp>;

type SqsStore = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>['sqsStore'];
type Queue = ReturnType<SqsStore['createQueue']>;
type Message = Queue['messages'][number];

const Send = z.object({ MessageBody: z.string(), MessageGroupId: z.string().optional() });
const SendRequest = z.union([Send, z.object({ Entries: z.array(Send) })]);

/** The group of each message of a request by its body. */
type SentGroups = ReadonlyMap<string, string>;
const sentGroups = new AsyncLocalStorage<SentGroups>();

const groupsOf = (body: unknown): SentGroups => {
  const { data } = SendRequest.safeParse(body);
  if (data === undefined) return new Map();
  const sends = 'Entries' in data ? data.Entries : [data];
  return new Map(
    sends.flatMap(({ MessageBody, MessageGroupId }) =>
      MessageGroupId === undefined ? [] : [[MessageBody, MessageGroupId] as const],
    ),
  );
};

/** fauxqs drops the message group on standard queues. This keeps it for the messages that a request sends. */
export function keepMessageGroups(app: App): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const isSend = String(request.headers['x-amz-target']).startsWith('AmazonSQS.SendMessage');
    if (isSend) sentGroups.run(groupsOf(request.body), done);
    else done();
  });
}

/**
 * Makes a standard queue fair between message groups, as SQS does: messages of a noisy group are received after those of all
 * other groups. Messages without a group are groups of their own.
 */
export function makeFair(queue: Queue, now: () => number = Date.now): void {
  if (queue.isFifo()) return;
  const { enqueue, dequeue, deleteMessage } = queue;
  const receivedAt = new WeakMap<Message, number>();
  const processing = new Map<string, GroupLoad>();

  queue.enqueue = (message) => {
    const group = message.messageGroupId ?? sentGroups.getStore()?.get(message.body);
    if (group !== undefined) message.messageGroupId = group;
    enqueue.call(queue, message);
  };
  queue.dequeue = (count, ...others) => {
    queue.processTimers();
    const inFlight = [...queue.inflightMessages.values()].map(({ message }) => message.messageGroupId);
    quietFirst(queue.messages, noisyGroups(inFlight, processing, now()), count);
    const before = new Set(queue.inflightMessages.keys());
    const received = dequeue.call(queue, count, ...others);
    for (const [handle, { message }] of queue.inflightMessages) {
      if (!before.has(handle)) receivedAt.set(message, now());
    }
    return received;
  };
  queue.deleteMessage = (receiptHandle) => {
    const message = queue.inflightMessages.get(receiptHandle)?.message;
    const group = message?.messageGroupId;
    if (message !== undefined && group !== undefined) {
      const took = now() - (receivedAt.get(message) ?? now());
      processing.set(group, shareAfter(processing.get(group), took, now()));
    }
    return deleteMessage.call(queue, receiptHandle);
  };
}
