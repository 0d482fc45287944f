import { ConditionalCheckFailedException, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../shared/aws/dynamodb.client.ts';
import { ulidInId } from '../../shared/ids.ts';

/**
 * How long a slot is held by whoever does not give it back, in milliseconds: as long as a call that hangs, its commit and
 * some more. Whoever outlives it shares the endpoint for a moment.
 */
const LEASE_MS = 15_000;

/** The one slot of an endpoint; `endpointId` is its id, or the ULID that ends with. */
export interface EndpointKey {
  readonly tenantId: string;
  readonly endpointId: string;
}

/** Sees to it that one process at a time calls an endpoint. */
export interface EndpointLeases {
  /**
   * Takes a slot until it is given back, at most for {@link LEASE}; null when that went well, otherwise for how long
   * somebody else has had it, in milliseconds. `now`: epoch milliseconds.
   */
  readonly acquire: (slot: EndpointKey, holder: string, now: number) => Promise<number | null>;
  /** Leaves a slot alone that somebody else has taken since. */
  readonly release: (slot: EndpointKey, holder: string) => Promise<void>;
}

const keyOf = ({ tenantId, endpointId }: EndpointKey) => ({
  pk: { S: `slot#${tenantId}#${ulidInId(endpointId)}` },
  sk: { S: 'slot' },
});

export const endpointLeaseStore = (table: string): EndpointLeases => ({
  acquire: (slot, holder, now) =>
    dynamodb
      .send(
        new PutItemCommand({
          TableName: table,
          Item: {
            ...keyOf(slot),
            holder: { S: holder },
            until: { N: String(now + LEASE_MS) },
            ttl: { N: String(Math.ceil((now + LEASE_MS) / 1_000)) },
          },
          ConditionExpression: 'attribute_not_exists(pk) OR #until <= :now',
          ExpressionAttributeNames: { '#until': 'until' },
          ExpressionAttributeValues: { ':now': { N: String(now) } },
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
  release: async (slot, holder) => {
    await dynamodb
      .send(
        new DeleteItemCommand({
          TableName: table,
          Key: keyOf(slot),
          ConditionExpression: 'holder = :holder',
          ExpressionAttributeValues: { ':holder': { S: holder } },
        }),
      )
      .catch((error: unknown) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
  },
});
