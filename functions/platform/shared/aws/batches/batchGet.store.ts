import { setTimeout as sleep } from 'node:timers/promises';
import { type AttributeValue, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { chunksOf } from '../../chunksOf.ts';
import { ThrottledError } from '../../retry/throttledError.ts';
import { throttlePauseMs, throttleTimeoutMs } from '../calls/throttling.ts';
import { dynamodb } from '../dynamodb.client.ts';

/** The limit of BatchGetItem. */
const MAX_KEYS = 100;

type Item = Record<string, AttributeValue>;

const readChunk = async (table: string, keys: Item[], isConsistent: boolean): Promise<Item[]> => {
  const items: Item[] = [];
  let remaining = keys;
  const startedAt = Date.now();
  const end = startedAt + throttleTimeoutMs(startedAt);
  for (let throttles = 0; ; ) {
    const { Responses, UnprocessedKeys } = await dynamodb.send(
      new BatchGetItemCommand({
        RequestItems: { [table]: { Keys: remaining, ConsistentRead: isConsistent } },
      }),
    );
    items.push(...(Responses?.[table] ?? []));
    const unprocessed = UnprocessedKeys?.[table]?.Keys ?? [];
    if (unprocessed.length === 0) return items;
    // A response of 16 MB is also incomplete. Only rounds without any progress count as throttled for longer and longer.
    throttles = unprocessed.length < remaining.length ? 1 : throttles + 1;
    remaining = unprocessed;
    const pause = throttlePauseMs(throttles, Math.random);
    if (Date.now() + pause >= end) throw new ThrottledError(`${remaining.length} keys were not read`);
    await sleep(pause);
  }
};

/**
 * The items of a table that exist under these distinct keys, in no particular order. Requests keys again that a throttled
 * table left out. Throws a ThrottledError if they stay out.
 */
export const batchGet = async (
  table: string,
  keys: readonly Item[],
  { isConsistent }: { readonly isConsistent: boolean },
): Promise<Item[]> => {
  const reads = chunksOf(keys, MAX_KEYS).map((chunk) => readChunk(table, chunk, isConsistent));
  return (await Promise.all(reads)).flat();
};
