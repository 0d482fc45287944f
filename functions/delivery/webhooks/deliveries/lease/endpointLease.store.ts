import { ConditionalCheckFailedException, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../../../platform/shared/aws/dynamodb.client.ts';
import { ulidInId } from '../../../../platform/shared/ids.ts';
import { endsOfHeld } from '../../../../platform/shared/time/lease.ts';

/**
 * How long a lease lasts when its holder does not release it, in milliseconds: longer than a call that times out and the
 * commit after it. A holder that outlives its lease shares the endpoint with the next holder for a short time.
 */
const LEASE_MS = 15_000;

/** The endpoint that a lease is for. `endpointId` is its id or the ULID of that id. */
export interface EndpointKey {
  readonly tenantId: string;
  readonly endpointId: string;
}

/** Leases on endpoints, so that one process at a time calls an endpoint. */
export interface EndpointLeases {
  /**
   * Acquires the lease of an endpoint, for at most 15 seconds. Returns null on success. Otherwise returns how long the
   * current holder has had the lease, in milliseconds. `now` is epoch milliseconds.
   */
  readonly acquire: (endpoint: EndpointKey, holder: string, now: number) => Promise<number | null>;
  /** Releases the lease. Does nothing when another process holds it by now. */
  readonly release: (endpoint: EndpointKey, holder: string) => Promise<void>;
}

const keyOf = ({ tenantId, endpointId }: EndpointKey) => ({
  pk: { S: `lease#${tenantId}#${ulidInId(endpointId)}` },
  sk: { S: 'lease' },
});

export const endpointLeaseStore = (table: string): EndpointLeases => ({
  acquire: async (endpoint, holder, now) => {
    const until = now + LEASE_MS;
    const { first, last } = endsOfHeld(LEASE_MS, now);
    try {
      await dynamodb.send(
        new PutItemCommand({
          TableName: table,
          Item: {
            ...keyOf(endpoint),
            holder: { S: holder },
            until: { N: String(until) },
            ttl: { N: String(Math.ceil(until / 1_000)) },
          },
          ConditionExpression: 'attribute_not_exists(pk) OR NOT #until BETWEEN :first AND :last',
          ExpressionAttributeNames: { '#until': 'until' },
          ExpressionAttributeValues: { ':first': { N: String(first) }, ':last': { N: String(last) } },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return null;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return until - Number(error.Item?.['until']?.N ?? 0);
    }
  },
  release: async (endpoint, holder) => {
    await dynamodb
      .send(
        new DeleteItemCommand({
          TableName: table,
          Key: keyOf(endpoint),
          ConditionExpression: 'holder = :holder',
          ExpressionAttributeValues: { ':holder': { S: holder } },
        }),
      )
      .catch((error: unknown) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
  },
});
