import { type AttributeValue, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from './dynamodb.client.ts';

/** The limit of BatchGetItem. */
const MAX_KEYS = 100;
/** The delay before unprocessed keys of a throttled table are requested again. It grows with each round. */
const RETRY_DELAY_MS = 50;

type Item = Record<string, AttributeValue>;

const readChunk = async (table: string, keys: Item[], isConsistent: boolean): Promise<Item[]> => {
  const items: Item[] = [];
  let remaining = keys;
  for (let round = 1; ; round += 1) {
    const { Responses, UnprocessedKeys } = await dynamodb.send(
      new BatchGetItemCommand({
        RequestItems: { [table]: { Keys: remaining, ConsistentRead: isConsistent } },
      }),
    );
    items.push(...(Responses?.[table] ?? []));
    remaining = UnprocessedKeys?.[table]?.Keys ?? [];
    if (remaining.length === 0) return items;
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS * round));
  }
};

/** The items of a table that exist under these distinct keys, in no particular order. */
export const batchGet = async (
  table: string,
  keys: readonly Item[],
  { isConsistent }: { readonly isConsistent: boolean },
): Promise<Item[]> => {
  const chunks = Array.from({ length: Math.ceil(keys.length / MAX_KEYS) }, (_, index) =>
    keys.slice(index * MAX_KEYS, (index + 1) * MAX_KEYS),
  );
  return (await Promise.all(chunks.map((chunk) => readChunk(table, chunk, isConsistent)))).flat();
};
