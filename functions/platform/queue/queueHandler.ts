import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DelayedMessage } from '../shared/aws/delayedQueue.aws.ts';
import { beginInvocation } from '../shared/time/invocationTime.ts';
import { OutOfTime } from '../shared/time/outOfTime.ts';
import { receivesOf, UnreadableMessage } from './failure.ts';
import { type Failure, type FailureHandling, settleFailures } from './settleFailures.ts';

/** Time that is kept free at the end of an invocation, to return the messages that were not finished. */
const RESERVED_MS = 3_000;

interface GroupedQueue<Message> extends FailureHandling {
  /** Reads a message. A message for which it throws fails alone. */
  readonly parse: (record: SQSRecord) => Message;
  /** Messages with the same key are handled together. */
  readonly keyOf: (message: Message, record: SQSRecord) => string;
  /** Returns the messages that came too early, each perhaps with another to send in its place. */
  readonly handle: (
    messages: readonly Message[],
  ) => Promise<readonly (DelayedMessage<Message> & { readonly replacement?: Message })[]>;
  /**
   * Sends messages that came too early again, at their first receive: SQS allows 120,000 received messages in a queue, so
   * they should not wait there. At later receives, and without this function, they do: a copy of each would double with
   * every delivery that SQS repeats, and would lose the count of receives that dead-letters a message which keeps failing.
   */
  readonly sendAgain?: (messages: readonly DelayedMessage<Message>[]) => Promise<void>;
}

/** Rejects shortly before the time of the function ends: a timeout would hide all messages of the batch for minutes. */
const endOfTime = (context: Pick<Context, 'getRemainingTimeInMillis'> | undefined) => {
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

/** The message group of our own messages is their tenant. */
const withTenant = (failure: Failure): Failure => {
  const { MessageGroupId: tenant_id } = failure.record.attributes;
  return { ...failure, details: tenant_id === undefined ? {} : { tenant_id } };
};

/**
 * Returns a queue handler that groups messages by key and handles all groups in parallel. When a group throws, or is not
 * finished shortly before the time of the function ends, all its messages are reported as batch item failures and are
 * retried. Other groups are acknowledged.
 */
export const groupedQueueHandler =
  <Message>({ parse, keyOf, handle, sendAgain, ...handling }: GroupedQueue<Message>) =>
  async (event: SQSEvent, context?: Pick<Context, 'getRemainingTimeInMillis'>): Promise<SQSBatchResponse> => {
    if (context !== undefined) beginInvocation(context);
    const unreadable: Failure[] = [];
    const readable = event.Records.flatMap((record) => {
      try {
        const message = parse(record);
        return [{ record, message, key: keyOf(message, record) }];
      } catch (cause) {
        unreadable.push({ record, error: new UnreadableMessage('unreadable', { cause }) });
        return [];
      }
    });
    const { ended, cancel } = endOfTime(context);
    const early: { readonly record: SQSRecord; readonly wait: number }[] = [];
    const failed = await Promise.all(
      [...Map.groupBy(readable, ({ key }) => key).values()].map(async (group): Promise<Failure[]> => {
        try {
          const delayed = await Promise.race([handle(group.map(({ message }) => message)), ended]);
          const again = new Map(delayed.map((one) => [one.message, one]));
          const tooEarly = group.flatMap(({ record, message }) => {
            const one = again.get(message);
            return one === undefined ? [] : [{ record, message: one.replacement ?? message, wait: one.wait }];
          });
          const isSent = ({ record }: { readonly record: SQSRecord }) =>
            sendAgain !== undefined && receivesOf(record) === 1;
          const sent = tooEarly.filter(isSent).map(({ message, wait }) => ({ message, wait }));
          if (sent.length > 0) await sendAgain?.(sent);
          early.push(...tooEarly.filter((one) => !isSent(one)));
          return [];
        } catch (error) {
          return group.map(({ record }) => ({ record, error }));
        }
      }),
    );
    cancel();
    const returned = await settleFailures([...unreadable, ...failed.flat()].map(withTenant), handling);
    await Promise.all(early.map(({ record, wait }) => handling.returnSoon?.([record], wait)));
    return {
      batchItemFailures: [...returned, ...early.map(({ record }) => record)].map(({ messageId }) => ({
        itemIdentifier: messageId,
      })),
    };
  };

/** Returns a queue handler for independent messages. `parse` reads a message, and one for which it throws fails alone. */
export const queueHandler = <Message>(
  parse: (record: SQSRecord) => Message,
  handle: (message: Message) => Promise<void>,
  handling: FailureHandling = {},
) =>
  groupedQueueHandler({
    parse,
    keyOf: (_, { messageId }) => messageId,
    handle: async (messages) => {
      await Promise.all(messages.map(handle));
      return [];
    },
    ...handling,
  });
