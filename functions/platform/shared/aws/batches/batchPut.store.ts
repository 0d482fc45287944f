import { setTimeout as sleep } from 'node:timers/promises';
import { type AttributeValue, BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { singleFlightBatch } from '../../caches/singleFlightBatch.ts';
import { chunksOf } from '../../chunksOf.ts';
import { ThrottledError } from '../../retry/throttledError.ts';
import { throttlePauseMs, throttleTimeoutMs } from '../calls/throttling.ts';
import { dynamodb } from '../dynamodb.client.ts';

/** The limit of BatchWriteItem. */
export const MAX_ITEMS = 25;

type Item = Record<string, AttributeValue>;

/**
 * Makes at most {@link MAX_ITEMS} writes. Repeats with pauses what a throttled table left out. Throws a ThrottledError if it
 * still refuses it.
 */
export const writeAll = async (table: string, writes: readonly WriteRequest[]): Promise<void> => {
  let requests = [...writes];
  const startedAt = Date.now();
  const end = startedAt + throttleTimeoutMs(startedAt);
  for (let throttles = 1; ; throttles += 1) {
    const { UnprocessedItems } = await dynamodb.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: requests } }),
    );
    requests = UnprocessedItems?.[table] ?? [];
    if (requests.length === 0) return;
    const pause = throttlePauseMs(throttles, Math.random);
    if (Date.now() + pause >= end) throw new ThrottledError(`${requests.length} items were not written`);
    await sleep(pause);
  }
};

/**
 * Returns a function that puts an item without a condition, and resolves after it is written. Puts that come while a call is
 * in flight share the next one, which costs the same write units and a fraction of the CPU. `keyOf` identifies the item: a
 * call may name an item once only, and the last put of it wins. Repeats what a throttled table left out. Throws a
 * ThrottledError if it still refuses it.
 */
export const batchedPut = (table: string, keyOf: (item: Item) => string) => {
  const putAll = singleFlightBatch<Item, void>(async (items) => {
    const distinct = [...new Map(items.map((item) => [keyOf(item), item])).values()];
    await Promise.all(
      chunksOf(distinct, MAX_ITEMS).map((chunk) =>
        writeAll(
          table,
          chunk.map((Item) => ({ PutRequest: { Item } })),
        ),
      ),
    );
  });
  return (item: Item): Promise<void> => putAll(table, item);
};
