import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import pMap from 'p-map';
import { isThrottle } from '../shared/aws/throttling.ts';
import { beginInvocation } from '../shared/time/invocationTime.ts';
import { OutOfTime } from '../shared/time/outOfTime.ts';
import { type FailureHandling, settleFailures } from './settleFailures.ts';

/** Time that is kept free at the end of an invocation, to report what was done and what was not. */
const RESERVED_MS = 5_000;
/** Pause before the second attempt of an item in the same invocation. */
const RETRY_PAUSE_MS = 200;

/** A message with the items to process, and what to do when all of them succeeded. */
export interface Unpacked<Item, Result> {
  readonly items: readonly Item[];
  readonly finish: (results: readonly Result[]) => void;
}

interface ItemQueue<Item, Result> extends FailureHandling {
  /** Reads a message. A message for which it throws fails alone. */
  readonly unpack: (record: SQSRecord) => Promise<Unpacked<Item, Result>>;
  /** `attempt` counts from 1. A second attempt follows in the same invocation if the first throws. */
  readonly process: (item: Item, attempt: number) => Promise<Result>;
  /** Runs after the items and before a message is acknowledged. All messages fail if it throws. */
  readonly complete: () => Promise<void>;
  /** Items in progress at the same time, over all messages of the invocation. */
  readonly concurrency: number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/**
 * Returns a queue handler for messages that consist of many items. One failed item does not stop the others. A message fails
 * when one of its items fails twice, or was not started because the time of the function is nearly over. Failed messages
 * are reported and return to the queue within seconds, unless they are set aside.
 */
export const itemQueueHandler = <Item, Result>(queue: ItemQueue<Item, Result>) => {
  const attempt = async (item: Item): Promise<Outcome<Result>> => {
    try {
      return { result: await queue.process(item, 1) };
    } catch {
      await queue.pause(RETRY_PAUSE_MS);
    }
    try {
      return { result: await queue.process(item, 2) };
    } catch (error) {
      return { error };
    }
  };

  interface Message {
    readonly record: SQSRecord;
    readonly unpacked: Unpacked<Item, Result> | null;
    /** In the order of the items. */
    readonly outcomes: Outcome<Result>[];
  }

  const unpack = async (record: SQSRecord): Promise<Message> => {
    try {
      return { record, unpacked: await queue.unpack(record), outcomes: [] };
    } catch (error) {
      return { record, unpacked: null, outcomes: [{ error }] };
    }
  };

  return async (
    { Records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    beginInvocation(context);
    const messages = await pMap(Records, unpack);
    const work = messages.flatMap(({ unpacked, outcomes }) =>
      (unpacked?.items ?? []).map((item, index) => ({ item, outcomes, index })),
    );
    await pMap(
      work,
      async ({ item, outcomes, index }) => {
        outcomes[index] =
          context.getRemainingTimeInMillis() < RESERVED_MS ? { error: new OutOfTime() } : await attempt(item);
      },
      { concurrency: queue.concurrency },
    );
    const incomplete = await queue.complete().then(
      () => [],
      (error: unknown) => [error],
    );
    const failed = messages.flatMap(({ record, unpacked, outcomes }) => {
      const errors = [
        ...outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : [])),
        ...incomplete,
      ];
      if (errors.length === 0) {
        unpacked?.finish(outcomes.flatMap((outcome) => ('result' in outcome ? [outcome.result] : [])));
        return [];
      }
      // One throttled item is enough: the message is good.
      const error = errors.find(isThrottle) ?? errors[0];
      const isLate = errors.some((error) => error instanceof OutOfTime);
      const details = { count: errors.length, ...(isLate && { reason: 'the function had no time left' }) };
      return [{ record, error, details }];
    });
    const returned = await settleFailures(failed, queue);
    return { batchItemFailures: returned.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
};
