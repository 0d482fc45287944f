import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { batchGet } from '../../../functions/platform/shared/aws/batches/batchGet.store.ts';
import { dynamodb } from '../../../functions/platform/shared/aws/dynamodb.client.ts';
import type { TableShape } from '../../../schemas/platform/tables.ts';

export type Row = Readonly<Record<string, AttributeValue>>;

/** All rows of a table, a page of a scan at a time. Strongly consistent. */
export const scanPages = async function* (table: string): AsyncGenerator<Row[]> {
  let resume: Record<string, AttributeValue> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey: resume }),
    );
    yield Items;
    resume = LastEvaluatedKey;
  } while (resume !== undefined);
};

const keyNames = (shape: TableShape): string[] => [
  shape.partitionKey,
  ...(shape.sortKey === undefined ? [] : [shape.sortKey]),
];

const keyOf = (shape: TableShape, row: Row): Record<string, AttributeValue> =>
  Object.fromEntries(keyNames(shape).flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));

/** A key as text. Keys are strings. */
const keyText = (shape: TableShape, row: Row): string =>
  JSON.stringify(keyNames(shape).map((name) => row[name]?.S));

/** The rows without those whose key an earlier one has. */
export const distinctRows = (shape: TableShape, rows: readonly Row[]): Row[] => [
  ...new Map(rows.toReversed().map((row) => [keyText(shape, row), row])).values(),
];

/** The rows of another table with the keys of these rows, found by a row of the same key. */
export const counterparts = async (
  shape: TableShape,
  table: string,
  rows: readonly Row[],
): Promise<(row: Row) => Row | undefined> => {
  const found = await batchGet(
    table,
    rows.map((row) => keyOf(shape, row)),
    { isConsistent: true },
  );
  const byKey = new Map(found.map((row) => [keyText(shape, row), row]));
  return (row) => byKey.get(keyText(shape, row));
};

/** Returns whether the condition held. */
const conditional = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

/** Writes a row, unless one has been written under its key in the meantime. */
export const putIfAbsent = (table: string, row: Row): Promise<boolean> =>
  conditional(
    dynamodb.send(
      new PutItemCommand({ TableName: table, Item: row, ConditionExpression: 'attribute_not_exists(pk)' }),
    ),
  );

export const putRow = (table: string, row: Row): Promise<unknown> =>
  dynamodb.send(new PutItemCommand({ TableName: table, Item: row }));

export const deleteRow = (shape: TableShape, table: string, row: Row): Promise<unknown> =>
  dynamodb.send(new DeleteItemCommand({ TableName: table, Key: keyOf(shape, row) }));
