import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { beginInvocation } from '../shared/invocationTime.ts';
import { describeError, log } from '../shared/log.ts';

interface GroupedQueue<Message> {
  /** Reads a message. A message for which it throws fails alone. */
  readonly parse: (record: SQSRecord) => Message;
  /** Messages with the same key are handled together. */
  readonly keyOf: (message: Message, record: SQSRecord) => string;
  readonly handle: (messages: readonly Message[]) => Promise<void>;
  /** Makes failed messages visible again soon. Without it they return after the visibility timeout. */
  readonly returnSoon?: (records: readonly SQSRecord[]) => Promise<void>;
}

const logFailed = (records: readonly SQSRecord[], error: unknown): readonly SQSRecord[] => {
  log({ level: 'error', message: 'message will be retried', count: records.length, ...describeError(error) });
  return records;
};

/**
 * Returns a queue handler that groups messages by key and handles all groups in parallel. When a group throws, all its messages
 * are reported as batch item failures and are retried. Other groups are acknowledged.
 */
export const groupedQueueHandler =
  <Message>({ parse, keyOf, handle, returnSoon }: GroupedQueue<Message>) =>
  async (event: SQSEvent, context?: Pick<Context, 'getRemainingTimeInMillis'>): Promise<SQSBatchResponse> => {
    if (context !== undefined) beginInvocation(context);
    const unreadable: SQSRecord[] = [];
    const readable = event.Records.flatMap((record) => {
      try {
        const message = parse(record);
        return [{ record, message, key: keyOf(message, record) }];
      } catch (error) {
        unreadable.push(...logFailed([record], error));
        return [];
      }
    });
    const failed = await Promise.all(
      [...Map.groupBy(readable, ({ key }) => key).values()].map(async (group) => {
        try {
          await handle(group.map(({ message }) => message));
          return [];
        } catch (error) {
          return logFailed(
            group.map(({ record }) => record),
            error,
          );
        }
      }),
    );
    const returned = [...unreadable, ...failed.flat()];
    if (returned.length > 0) await returnSoon?.(returned);
    return { batchItemFailures: returned.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

/** Returns a queue handler for independent messages. */
export const queueHandler = (handle: (message: SQSRecord) => Promise<void>) =>
  groupedQueueHandler({
    parse: (record) => record,
    keyOf: ({ messageId }) => messageId,
    handle: async (messages) => {
      await Promise.all(messages.map(handle));
    },
  });
