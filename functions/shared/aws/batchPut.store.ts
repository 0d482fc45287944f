import { type AttributeValue, BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { singleFlightBatch } from '../singleFlightBatch.ts';
import { dynamodb } from './dynamodb.client.ts';

/** The limit of BatchWriteItem. */
const MAX_ITEMS = 25;
/** Rounds in which a throttled table accepts the rest, and the delay before each, which grows with the round. */
const MAX_ROUNDS = 6;
const RETRY_DELAY_MS = 50;

type Item = Record<string, AttributeValue>;

const writeAll = async (table: string, items: readonly Item[]): Promise<void> => {
  let requests: WriteRequest[] = items.map((Item) => ({ PutRequest: { Item } }));
  for (let round = 1; ; round += 1) {
    const { UnprocessedItems } = await dynamodb.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: requests } }),
    );
    requests = UnprocessedItems?.[table] ?? [];
    if (requests.length === 0) return;
    if (round === MAX_ROUNDS) throw new Error(`Table ${table} did not accept ${requests.length} items.`);
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS * round));
  }
};

/**
 * Returns a function that puts an item without a condition, and resolves after it is written. Puts that come while a call is
 * in flight share the next one, which costs the same write units and a fraction of the CPU. `keyOf` identifies the item: a
 * call may name an item once only, and the last put of it wins.
 */
export const batchedPut = (table: string, keyOf: (item: Item) => string) => {
  const putAll = singleFlightBatch<Item, void>(async (items) => {
    const distinct = [...new Map(items.map((item) => [keyOf(item), item])).values()];
    const chunks = Array.from({ length: Math.ceil(distinct.length / MAX_ITEMS) }, (_, index) =>
      distinct.slice(index * MAX_ITEMS, (index + 1) * MAX_ITEMS),
    );
    await Promise.all(chunks.map((chunk) => writeAll(table, chunk)));
  });
  return (item: Item): Promise<void> => putAll(table, item);
};
