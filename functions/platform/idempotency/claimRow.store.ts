import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { optionalCall } from '../shared/aws/calls/optionalCall.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { RETENTION_MS } from './requestIdentity.ts';

type Attributes = Readonly<Record<string, AttributeValue>>;

type ClaimedRow =
  | { readonly kind: 'first' }
  /** The row of the identical request, which arrived before. */
  | { readonly kind: 'stored'; readonly row: Attributes }
  /** The row is of another request with this key. */
  | { readonly kind: 'conflict' };

/**
 * Writes the row of a key, with `attributes`, unless it has one. `expires` ends its 24 hours exactly. The TTL of the table
 * deletes rows later.
 */
export const claimRow = async (
  table: string,
  { key, fingerprint, now }: { readonly key: string; readonly fingerprint: string; readonly now: number },
  attributes: Attributes,
  options?: ReturnType<typeof optionalCall>,
): Promise<ClaimedRow> => {
  const expires = now + RETENTION_MS;
  try {
    await dynamodb.send(
      new PutItemCommand({
        TableName: table,
        Item: {
          pk: { S: key },
          fingerprint: { S: fingerprint },
          received: { N: String(now) },
          ...attributes,
          expires: { N: String(expires) },
          ttl: { N: String(Math.ceil(expires / 1_000)) },
        },
        ConditionExpression: 'attribute_not_exists(pk) OR expires <= :now',
        ExpressionAttributeValues: { ':now': { N: String(now) } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
      options,
    );
    return { kind: 'first' };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const row = error.Item ?? {};
    return row['fingerprint']?.S === fingerprint ? { kind: 'stored', row } : { kind: 'conflict' };
  }
};
