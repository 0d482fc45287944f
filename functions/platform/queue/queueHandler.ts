import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { DelayedMessage } from '../shared/aws/delayedQueue.aws.ts';
import { describeError, log } from '../shared/log.ts';
import { beginInvocation } from '../shared/time/invocationTime.ts';
import { OutOfTime } from '../shared/time/outOfTime.ts';
import { describeLateness, receivesOf, UnreadableMessage } from './failure.ts';
import type { SetAside } from './setAside.aws.ts';

/** Time that is kept free at the end of an invocation, to return the messages that were not finished. */
const RESERVED_MS = 3_000;

interface FailureHandling {
  /** Moves a message that must not return out of the queue. Without it every failed message returns. */
  readonly setAside?: SetAside;
  /**
   * Makes failed messages visible again soon, or after `wait` milliseconds. Without it they return after the visibility
   * timeout.
   */
  readonly returnSoon?: (records: readonly SQSRecord[], wait?: number) => Promise<void>;
}

interface GroupedQueue<Message> extends FailureHandling {
  /** Reads a message. A message for which it throws fails alone. */
  readonly parse: (record: SQSRecord) => Message;
  /** Messages with the same key are handled together. */
  readonly keyOf: (message: Message, record: SQSRecord) => string;
  /** Returns the messages that came too early. */
  readonly handle: (messages: readonly Message[]) => Promise<readonly DelayedMessage<Message>[]>;
  /**
   * Sends messages that came too early again, at their first receive: SQS allows 120,000 received messages in a queue, so
   * they should not wait there. At later receives, and without this function, they do: a copy of each would double with
   * every delivery that SQS repeats, and would lose the count of receives that dead-letters a message which keeps failing.
   */
  readonly sendAgain?: (messages: readonly DelayedMessage<Message>[]) => Promise<void>;
}

interface Failure {
  readonly record: SQSRecord;
  readonly error: unknown;
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

/**
 * Sets failed messages aside or returns them to the queue. Resolves to those that stay in the queue. The message group of
 * our own messages is their tenant.
 */
const settle = async (
  failures: readonly Failure[],
  { setAside, returnSoon }: FailureHandling,
): Promise<SQSRecord[]> => {
  const isAside = async ({ record, error }: Failure): Promise<boolean> => {
    try {
      return (await setAside?.(record, error)) ?? false;
    } catch (failure) {
      log({ level: 'error', message: 'message was not dead-lettered', ...describeError(failure) });
      return false;
    }
  };
  const returned: SQSRecord[] = [];
  for (const failure of failures) {
    const { record, error } = failure;
    const { MessageGroupId: tenant_id } = record.attributes;
    const lateness = {
      ...describeLateness(record, error),
      ...describeError(error),
      ...(tenant_id !== undefined && { tenant_id }),
    };
    if (await isAside(failure)) {
      log({ level: 'error', message: 'message was dead-lettered', ...lateness });
    } else {
      log({ level: 'error', message: 'message will be retried', ...lateness });
      returned.push(record);
    }
  }
  if (returned.length > 0) await returnSoon?.(returned);
  return returned;
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
          const waits = new Map(delayed.map(({ message, wait }) => [message, wait]));
          const tooEarly = group.flatMap(({ record, message }) => {
            const wait = waits.get(message);
            return wait === undefined ? [] : [{ record, message, wait }];
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
    const returned = await settle([...unreadable, ...failed.flat()], handling);
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
