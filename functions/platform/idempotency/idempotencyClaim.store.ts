import { ConditionalCheckFailedException, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { optionalCall } from '../shared/aws/calls/optionalCall.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { RETENTION_MS } from './requestIdentity.ts';

export type ClaimResult =
  | { readonly kind: 'first' }
  /** The identical request arrived before, at `receivedAt` (epoch milliseconds). */
  | { readonly kind: 'repeat'; readonly receivedAt: number }
  | { readonly kind: 'conflict' };

export interface IdempotencyClaims {
  readonly claim: (key: string, fingerprint: string, now: number) => Promise<ClaimResult>;
  /** Deletes the claim of a failed request, so that its retry counts as the first call. */
  readonly release: (key: string, fingerprint: string) => Promise<void>;
}

/**
 * Claims a key with one conditional write. This is enough for operations whose response follows from the request and
 * whose effect cannot happen twice (ingestion: event ids). A repeat runs again, which also repairs a crash between claim
 * and effect. `expires` ends the 24 hours exactly. The TTL of the table deletes rows later.
 */
export const idempotencyClaims = (table: string): IdempotencyClaims => ({
  claim: async (key, fingerprint, now) => {
    const expires = now + RETENTION_MS;
    try {
      await dynamodb.send(
        new PutItemCommand({
          TableName: table,
          Item: {
            pk: { S: key },
            fingerprint: { S: fingerprint },
            received: { N: String(now) },
            expires: { N: String(expires) },
            ttl: { N: String(Math.ceil(expires / 1_000)) },
          },
          ConditionExpression: 'attribute_not_exists(pk) OR expires <= :now',
          ExpressionAttributeValues: { ':now': { N: String(now) } },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
        optionalCall(),
      );
      return { kind: 'first' };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const { fingerprint: stored, received } = error.Item ?? {};
      if (stored?.S !== fingerprint) return { kind: 'conflict' };
      return { kind: 'repeat', receivedAt: Number(received?.N) };
    }
  },
  release: async (key, fingerprint) => {
    await dynamodb.send(
      new DeleteItemCommand({
        TableName: table,
        Key: { pk: { S: key } },
        ConditionExpression: 'fingerprint = :fingerprint',
        ExpressionAttributeValues: { ':fingerprint': { S: fingerprint } },
      }),
      optionalCall(),
    );
  },
});
