import { type AttributeValue, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from './dynamodb.client.ts';

/** The most keys one request may ask for. */
const KEYS_MAXIMUM = 100;
/** Before keys that a busy table left are asked for again, in milliseconds, longer each time. */
const LEFT_WAIT = 50;

type Item = Record<string, AttributeValue>;

const readChunk = async (table: string, keys: Item[], isConsistent: boolean): Promise<Item[]> => {
  const found: Item[] = [];
  let left = keys;
  for (let round = 1; ; round += 1) {
    const { Responses, UnprocessedKeys } = await dynamodb.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys: left, ConsistentRead: isConsistent } } }),
    );
    found.push(...(Responses?.[table] ?? []));
    left = UnprocessedKeys?.[table]?.Keys ?? [];
    if (left.length === 0) return found;
    await new Promise((resolve) => setTimeout(resolve, LEFT_WAIT * round));
  }
};

/** Items of a table by their keys, which are all different; in no order, and those that are there. */
export const batchGet = async (
  table: string,
  keys: readonly Item[],
  { isConsistent }: { readonly isConsistent: boolean },
): Promise<Item[]> => {
  const chunks = Array.from({ length: Math.ceil(keys.length / KEYS_MAXIMUM) }, (_, index) =>
    keys.slice(index * KEYS_MAXIMUM, (index + 1) * KEYS_MAXIMUM),
  );
  return (await Promise.all(chunks.map((chunk) => readChunk(table, chunk, isConsistent)))).flat();
};
