import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type * as z from 'zod';
import { dynamodb } from './dynamodb.client.ts';

const ATTRIBUTE = 'document';

/**
 * One JSON document by key, strongly consistent, parsed by its schema on the way out; null when there is none.
 * Throws what the SDK throws when the table cannot answer.
 */
export const readDocument = async <Shape extends z.ZodType>(
  table: string,
  key: string,
  shape: Shape,
): Promise<z.infer<Shape> | null> => {
  const { Item } = await dynamodb.send(
    new GetItemCommand({ TableName: table, Key: { pk: { S: key } }, ConsistentRead: true }),
  );
  const text = Item?.[ATTRIBUTE]?.S;
  return text === undefined ? null : shape.parse(JSON.parse(text));
};

/** Writes a document; with `create`, only where there is none yet, and says whether it did. */
export const writeDocument = async (
  table: string,
  key: string,
  value: object,
  options: { readonly create: boolean } = { create: false },
): Promise<boolean> => {
  try {
    await dynamodb.send(
      new PutItemCommand({
        TableName: table,
        Item: { pk: { S: key }, [ATTRIBUTE]: { S: JSON.stringify(value) } },
        ...(options.create && { ConditionExpression: 'attribute_not_exists(pk)' }),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
};
