import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  type BatchStatementRequest,
} from '@aws-sdk/client-dynamodb';
import { singleFlightBatch } from '../../caches/singleFlightBatch.ts';
import { chunksOf } from '../../chunksOf.ts';
import { isThrottle } from '../calls/throttling.ts';
import { dynamodb } from '../dynamodb.client.ts';

/** The limit of BatchExecuteStatement. */
const MAX_STATEMENTS = 25;

type Item = Record<string, AttributeValue>;
/** Whether each item was inserted, or the error of its call. */
type Outcome = { readonly inserted: boolean } | { readonly error: unknown };

/** The attribute names are constants of a store, never input, so they need no escape. */
const statementOf = (table: string, item: Item): BatchStatementRequest => ({
  Statement: `INSERT INTO "${table}" VALUE {${Object.keys(item)
    .map((name) => `'${name}': ?`)
    .join(', ')}}`,
  Parameters: Object.values(item),
});

const insertChunk = async (table: string, items: readonly Item[]): Promise<readonly Outcome[]> => {
  try {
    const { Responses = [] } = await dynamodb.send(
      new BatchExecuteStatementCommand({ Statements: items.map((item) => statementOf(table, item)) }),
    );
    return items.map((_, index) => {
      const response = Responses[index];
      return { inserted: response !== undefined && response.Error === undefined };
    });
  } catch (error) {
    // One item that DynamoDB does not accept must not fail the others, so each is then written alone.
    return items.map(() => (isThrottle(error) ? { error } : { inserted: false }));
  }
};

/**
 * Returns a function that inserts an item unless its key exists. Inserts that come while a call is in flight share the next
 * one, which costs the same write units and a fraction of the CPU.
 *
 * Resolves to true after the item was inserted. False means that it is unknown why it was not: its key may exist, or be
 * throttled, or the response to an earlier attempt was lost. Then put the item alone, on the condition that its key does not
 * exist: that call says what happened.
 */
export const batchedInsert = (table: string, keyOf: (item: Item) => string) => {
  const insertAll = singleFlightBatch<Item, ReadonlyMap<Item, Outcome>>(async (items) => {
    // A call may name a key once only.
    const distinct = [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()];
    const chunks = chunksOf(distinct, MAX_STATEMENTS);
    const outcomes = await Promise.all(chunks.map((chunk) => insertChunk(table, chunk)));
    return new Map(
      outcomes.flat().flatMap((outcome, index) => {
        const item = distinct[index];
        return item === undefined ? [] : [[item, outcome] as const];
      }),
    );
  });

  return async (item: Item): Promise<boolean> => {
    const outcome = (await insertAll(table, item)).get(item) ?? { inserted: false };
    if ('error' in outcome) throw outcome.error;
    return outcome.inserted;
  };
};
