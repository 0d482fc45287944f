import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DelayedMessage } from '../shared/aws/delayedQueue.aws.ts';
import { type InvocationContext, withinInvocation } from '../shared/time/invocationTime.ts';
import { OutOfTime } from '../shared/time/outOfTime.ts';
import { isOldEnough, receivesOf, UnreadableMessage } from './failure.ts';
import { type Failure, type FailureHandling, settleFailures } from './settleFailures.ts';

/** Time that is kept free at the end of an invocation, to return the messages that were not finished. */
const RESERVED_MS = 3_000;

/** A message that failed, while others of its group may have succeeded. */
export interface FailedMessage<Message> extends Pick<Failure, 'error' | 'details'> {
  readonly message: Message;
}

/** A message that came too early, perhaps with another to send in its place. */
export interface EarlyMessage<Message> extends DelayedMessage<Message> {
  readonly replacement?: Message;
}

export interface Queue<Message> {
  /** Reads a message. A message for which it throws fails alone, and is not received again. */
  readonly parse: (record: SQSRecord) => Message;
  /** Messages with the same key are handled together. Without it each is handled alone. */
  readonly keyOf?: (message: Message, record: SQSRecord) => string;
  /** Returns the messages that are not done. When it throws, none is. */
  readonly handle: (
    messages: readonly [Message, ...Message[]],
  ) => Promise<readonly (EarlyMessage<Message> | FailedMessage<Message>)[]>;
  /**
   * Sends messages that came too early again, at their first receive: SQS allows 120,000 received messages in a queue, so
   * they should not wait there. At later receives, and without this function, they do: a copy of each would double with
   * every delivery that SQS repeats, and would lose the count of receives that dead-letters a message which keeps failing.
   * The count holds those waits too, so such a message is set aside only when it is an hour old.
   */
  readonly sendAgain?: (messages: readonly DelayedMessage<Message>[]) => Promise<void>;
}

/** Rejects shortly before the time of the function ends: a timeout would hide all messages of the batch for minutes. */
const endOfTime = (context: InvocationContext | undefined) => {
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    if (context === undefined) return;
    timer = setTimeout(
      () => reject(new OutOfTime()),
      Math.max(0, context.getRemainingTimeInMillis() - RESERVED_MS),
    );
  });
  ended.catch(() => undefined);
  return { ended, cancel: () => clearTimeout(timer) };
};

interface Received<Message> {
  readonly record: SQSRecord;
  readonly message: Message;
}

/** What is not acknowledged: failures, and messages that wait in the queue until they are due. */
interface Unacknowledged {
  readonly failed: readonly Failure[];
  readonly early: readonly { readonly record: SQSRecord; readonly wait: number }[];
}

/**
 * Returns a queue handler that handles all groups of messages in parallel. A message that fails alone is set aside or retried
 * alone. All messages of a group are retried when its handling throws, or is not finished shortly before the time of the
 * function ends. All others are acknowledged.
 */
export const queueHandler = <Message>({
  parse,
  keyOf = (_, { messageId }) => messageId,
  handle,
  sendAgain,
  ...handling
}: Queue<Message> & FailureHandling) => {
  const setAside: FailureHandling['setAside'] = async (record, error) =>
    (sendAgain === undefined || isOldEnough(record, error)) && handling.setAside(record, error);

  /** Sends early messages again, or resolves to those that wait in the queue. */
  const postpone = async (
    early: readonly (EarlyMessage<Message> & Received<Message>)[],
  ): Promise<Unacknowledged['early']> => {
    const isSent = ({ record }: Received<Message>) => sendAgain !== undefined && receivesOf(record) === 1;
    const sent = early
      .filter(isSent)
      .map(({ message, replacement = message, wait }) => ({ message: replacement, wait }));
    if (sent.length > 0) await sendAgain?.(sent);
    return early.filter((one) => !isSent(one));
  };

  const handleGroup = async (
    [first, ...others]: readonly [Received<Message>, ...Received<Message>[]],
    ended: Promise<never>,
  ): Promise<Unacknowledged> => {
    const group = [first, ...others];
    try {
      const unfinished = await Promise.race([
        handle([first.message, ...others.map(({ message }) => message)]),
        ended,
      ]);
      const byMessage = new Map(unfinished.map((one) => [one.message, one]));
      const found = group.flatMap(({ record, message }) => {
        const one = byMessage.get(message);
        return one === undefined ? [] : [{ ...one, record }];
      });
      const early = found.filter((one) => 'wait' in one);
      return { failed: found.filter((one) => 'error' in one), early: await postpone(early) };
    } catch (error) {
      return { failed: group.map(({ record }) => ({ record, error })), early: [] };
    }
  };

  const handleRecords = async (
    Records: readonly SQSRecord[],
    context: InvocationContext | undefined,
  ): Promise<SQSBatchResponse> => {
    const unreadable: Failure[] = [];
    const groups = new Map<string, [Received<Message>, ...Received<Message>[]]>();
    for (const record of Records) {
      try {
        const message = parse(record);
        const key = keyOf(message, record);
        groups.set(key, [...(groups.get(key) ?? []), { record, message }]);
      } catch (cause) {
        unreadable.push({ record, error: new UnreadableMessage('unreadable', { cause }) });
      }
    }
    const { ended, cancel } = endOfTime(context);
    const handled = await Promise.all([...groups.values()].map((group) => handleGroup(group, ended)));
    cancel();
    const failed = [...unreadable, ...handled.flatMap((group) => group.failed)];
    const early = handled.flatMap((group) => group.early);
    const returned = await settleFailures(failed, { ...handling, setAside });
    await Promise.all(early.map(({ record, wait }) => handling.returnSoon([record], wait)));
    return {
      batchItemFailures: [...returned, ...early.map(({ record }) => record)].map(({ messageId }) => ({
        itemIdentifier: messageId,
      })),
    };
  };

  return ({ Records }: SQSEvent, context?: InvocationContext): Promise<SQSBatchResponse> =>
    withinInvocation(context, () => handleRecords(Records, context));
};
