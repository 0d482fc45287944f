import { ConditionalCheckFailedException, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';

/**
 * How long a lease lasts when its holder does not release it, in milliseconds: longer than a call that times out and the
 * commit after it. A holder that outlives its lease shares the endpoint with the next holder for a short time.
 */
const LEASE_MS = 15_000;
/**
 * How far the clocks of two processes may differ. A lease that ends later than this allows was taken by a clock ahead of
 * time, for example before a restore, and would block the endpoint until the clock is there.
 */
const CLOCK_SKEW_MS = 5_000;

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
  acquire: (endpoint, holder, now) =>
    dynamodb
      .send(
        new PutItemCommand({
          TableName: table,
          Item: {
            ...keyOf(endpoint),
            holder: { S: holder },
            until: { N: String(now + LEASE_MS) },
            ttl: { N: String(Math.ceil((now + LEASE_MS) / 1_000)) },
          },
          ConditionExpression: 'attribute_not_exists(pk) OR #until <= :now OR #until > :latest',
          ExpressionAttributeNames: { '#until': 'until' },
          ExpressionAttributeValues: {
            ':now': { N: String(now) },
            ':latest': { N: String(now + LEASE_MS + CLOCK_SKEW_MS) },
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      )
      .then(
        () => null,
        (error: unknown) => {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
          return now + LEASE_MS - Number(error.Item?.['until']?.N ?? 0);
        },
      ),
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
