import { ConditionalCheckFailedException, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { RETENTION_MS } from './requestIdentity.ts';

/** Bounds each try of a claim: ingestion goes on without it rather than wait, since event ids protect it. */
const REQUEST_TIMEOUT_MS = 500;

export type ClaimResult =
  | { readonly kind: 'first' }
  /** The identical request came before, at `receivedAt` (epoch milliseconds). */
  | { readonly kind: 'repeat'; readonly receivedAt: number }
  | { readonly kind: 'conflict' };

export interface IdempotencyClaims {
  readonly claim: (key: string, fingerprint: string, now: number) => Promise<ClaimResult>;
  /** Forgets a claim whose request failed, so that its retry counts as the first. */
  readonly release: (key: string, fingerprint: string) => Promise<void>;
}

/**
 * Claims a key in one conditional write. Enough for operations whose response follows from the request and whose
 * effect cannot happen twice (ingestion: event ids): a repeat simply runs again, which also heals a crash
 * between claim and effect. The row's own `expires` ends the 24 hours exactly, however late the table's expiry is.
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
        { requestTimeout: REQUEST_TIMEOUT_MS },
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
      { requestTimeout: REQUEST_TIMEOUT_MS },
    );
  },
});
