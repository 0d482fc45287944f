import { type AttributeValue, BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { dynamodb } from './dynamodb.client.ts';

/** The limit of BatchWriteItem. */
const MAX_ITEMS = 25;
/** Rounds in which a throttled table accepts the rest, and the delay before each, which grows with the round. */
const MAX_ROUNDS = 6;
const RETRY_DELAY_MS = 50;

type Item = Record<string, AttributeValue>;

interface Batch {
  readonly items: Map<string, Item>;
  readonly written: Promise<void>;
  readonly start: () => void;
}

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
 * Returns a function that puts an item without a condition, and resolves after it is written. Puts of the same moment share
 * one call, which costs the same write units and a fraction of the CPU. `keyOf` identifies the item: a call may name an item
 * once only.
 */
export const batchedPut = (table: string, keyOf: (item: Item) => string) => {
  let open: Batch | null = null;

  const newBatch = (): Batch => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const items = new Map<string, Item>();
    let isStarted = false;
    const batch: Batch = {
      items,
      written: promise,
      start: () => {
        if (isStarted) return;
        isStarted = true;
        if (open === batch) open = null;
        writeAll(table, [...items.values()]).then(resolve, reject);
      },
    };
    // After the callbacks that are ready now, which may put more items.
    setImmediate(batch.start);
    return batch;
  };

  return (item: Item): Promise<void> => {
    const key = keyOf(item);
    if (open?.items.has(key)) open.start();
    const batch = open ?? newBatch();
    open = batch;
    batch.items.set(key, item);
    if (batch.items.size === MAX_ITEMS) batch.start();
    return batch.written;
  };
};
