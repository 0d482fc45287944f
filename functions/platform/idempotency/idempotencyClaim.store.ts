import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import type { ClaimResult } from '../http/underKey.ts';
import { optionalCall } from '../shared/aws/calls/optionalCall.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { claimRow } from './claimRow.store.ts';

export interface IdempotencyClaims {
  readonly claim: (key: string, fingerprint: string, now: number) => Promise<ClaimResult>;
  /** Deletes the claim of a failed request, so that its retry counts as the first call. */
  readonly release: (key: string, fingerprint: string) => Promise<void>;
}

/**
 * Claims a key with one conditional write. This is enough for operations whose response follows from the request and
 * whose effect cannot happen twice (ingestion: event ids). A repeat runs again, which also repairs a crash between claim
 * and effect.
 */
export const idempotencyClaims = (table: string): IdempotencyClaims => ({
  claim: async (key, fingerprint, now) => {
    const claimed = await claimRow(table, { key, fingerprint, now }, {}, optionalCall());
    return claimed.kind === 'stored'
      ? { kind: 'repeat', receivedAt: Number(claimed.row['received']?.N) }
      : claimed;
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
