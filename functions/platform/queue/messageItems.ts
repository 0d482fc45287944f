import type { SQSRecord } from 'aws-lambda';
import pMap from 'p-map';
import { isThrottle } from '../shared/aws/calls/throttling.ts';
import { OutOfTime } from '../shared/time/outOfTime.ts';
import type { FailedMessage, Queue } from './queueHandler.ts';

/** Pause before the second attempt of an item in the same invocation. */
const RETRY_PAUSE_MS = 200;

/** A message with the items to process, and what to do when all of them succeeded. */
export interface Unpacked<Item, Result> {
  readonly items: readonly Item[];
  readonly finish: (results: readonly Result[]) => void;
}

interface ItemWork<Item, Result> {
  /** Reads a message. A message for which it rejects fails alone. */
  readonly unpack: (record: SQSRecord) => Promise<Unpacked<Item, Result>>;
  /** `attempt` counts from 1. A second attempt follows in the same invocation if the first throws. */
  readonly process: (item: Item, attempt: number) => Promise<Result>;
  /** Runs after the items and before a message is acknowledged. All messages fail if it throws. */
  readonly complete: () => Promise<void>;
  /** Items in progress at the same time, over all messages of the invocation. */
  readonly concurrency: number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** Whether the invocation has time to begin an item. */
  readonly hasTime: () => boolean;
}

type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/** Most items that go before all others of an invocation. All of them are in progress at once. */
const FIRST_ITEMS = 8;
/** The others wait no longer for them: one can wait for a throttled row. */
const FIRST_WAVE_MS = 500;

/**
 * The items in the order in which they begin, the first wave apart: those of the groups with the fewest items. Items in progress
 * take turns in one thread, so an item beside 60 others ends when they do.
 */
const inWaves = <Item>(groups: readonly (readonly Item[])[]): Record<'first' | 'others', readonly Item[]> => {
  const ordered = groups.toSorted((one, other) => one.length - other.length);
  let count = 0;
  const first = ordered.filter(({ length }) => {
    count += length;
    return count <= FIRST_ITEMS;
  });
  if (first.length === ordered.length) return { first: [], others: ordered.flat() };
  return { first: first.flat(), others: ordered.slice(first.length).flat() };
};

/**
 * Handles messages that consist of many items. One failed item does not stop the others. A message fails when one of its
 * items fails twice, or was not started because the time of the function is nearly over. The message groups with the fewest
 * items come first, and short messages within a group: otherwise the only event of a tenant waits for thousands of another one
 * that were received with it.
 */
export const messageItems = <Item, Result>(
  work: ItemWork<Item, Result>,
): Pick<Queue<SQSRecord>, 'parse' | 'keyOf' | 'handle'> => {
  const attempt = async (item: Item): Promise<Outcome<Result>> => {
    try {
      return { result: await work.process(item, 1) };
    } catch {
      await work.pause(RETRY_PAUSE_MS);
    }
    try {
      return { result: await work.process(item, 2) };
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
      return { record, unpacked: await work.unpack(record), outcomes: [] };
    } catch (error) {
      return { record, unpacked: null, outcomes: [{ error }] };
    }
  };

  /** Null when the message is done. */
  const failureOf = (
    { record, unpacked, outcomes }: Message,
    incomplete: readonly unknown[],
  ): FailedMessage<SQSRecord> | null => {
    const failed = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []));
    const errors = [...failed, ...incomplete];
    if (errors.length === 0) {
      unpacked?.finish(outcomes.flatMap((outcome) => ('result' in outcome ? [outcome.result] : [])));
      return null;
    }
    // One throttled item is enough: the message is good.
    const error = errors.find(isThrottle) ?? errors[0];
    const isLate = errors.some((one) => one instanceof OutOfTime);
    const details = { count: errors.length, ...(isLate && { reason: 'the function had no time left' }) };
    return { message: record, error, details };
  };

  return {
    parse: (record) => record,
    keyOf: () => 'all messages',
    handle: async (records) => {
      const messages = await pMap(records, unpack);
      const groups = Map.groupBy(messages, ({ record }) => record.attributes.MessageGroupId).values();
      const { first, others } = inWaves(
        [...groups].map((group) =>
          group
            .map(({ unpacked, outcomes }) =>
              (unpacked?.items ?? []).map((item, index) => ({ item, outcomes, index })),
            )
            .toSorted((one, other) => one.length - other.length)
            .flat(),
        ),
      );
      const run = (wave: typeof first) =>
        pMap(
          wave,
          async ({ item, outcomes, index }) => {
            outcomes[index] = work.hasTime() ? await attempt(item) : { error: new OutOfTime() };
          },
          { concurrency: work.concurrency },
        );
      const running = run(first);
      if (first.length > 0) await Promise.race([running, work.pause(FIRST_WAVE_MS)]);
      await Promise.all([running, run(others)]);
      const incomplete = await work.complete().then(
        () => [],
        (error: unknown) => [error],
      );
      return messages.flatMap((message) => failureOf(message, incomplete) ?? []);
    },
  };
};
