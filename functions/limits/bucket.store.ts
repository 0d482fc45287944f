import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { RateClass } from '../../schemas/platform/limits.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';

/** Bounds each try of a charge: ingestion goes on without limits rather than wait for them. */
const REQUEST_TIMEOUT_MS = 500;
/**
 * A bucket outlives the longest life of a key: besides the budget it tells when its principal last called,
 * at no cost of its own (see lastUse.store.ts).
 */
export const BUCKET_RETENTION_SECONDS = 400 * 86_400;

export interface ChargeRequest {
  readonly key: string;
  /** How far the charge moves `tat`, in microseconds. */
  readonly amount: number;
  /** Charges count from here when the bucket's `tat` is earlier. */
  readonly floor: number;
  /** The latest instant from which the charge is admitted. */
  readonly latest: number;
  /** The `tat` last seen, to pick the right condition at the first try. */
  readonly lastSeen: number;
}

export type ChargeResult = { readonly admitted: boolean; readonly tat: number };

export interface BucketStore {
  readonly charge: (request: ChargeRequest) => Promise<ChargeResult>;
  /** The bucket's `tat`; 0 when it was never charged, which is a full bucket. */
  readonly peek: (key: string) => Promise<number>;
}

/** One bucket for each tenant, principal and class, in a partition of its own: no tenant's traffic can slow another's. */
export const bucketKey = (tenantId: string, principal: string, rateClass: RateClass): string =>
  `${tenantId}#${principal}#${rateClass}`;

const tatOf = (item: Record<string, AttributeValue> | undefined): number => Number(item?.['tat']?.N ?? 0);

const seconds = (microseconds: number): string => String(Math.ceil(microseconds / 1_000_000));

export const bucketStore = (table: string): BucketStore => {
  /**
   * `tat = max(tat, floor) + amount`, if `max(tat, floor) <= latest`. A condition cannot hold a maximum, so there are two updates,
   * each right under its own condition; a failed one returns the `tat` it met, which tells the other from a refusal.
   */
  const update = async (
    request: ChargeRequest,
    idle: boolean,
  ): Promise<ChargeResult | { readonly met: number }> => {
    const start = idle ? request.floor : request.lastSeen;
    try {
      const { Attributes } = await dynamodb.send(
        new UpdateItemCommand({
          TableName: table,
          Key: { pk: { S: request.key } },
          UpdateExpression: idle ? 'SET tat = :reached, #ttl = :ttl' : 'SET tat = tat + :amount, #ttl = :ttl',
          ConditionExpression: idle
            ? 'attribute_not_exists(tat) OR tat < :floor'
            : 'tat BETWEEN :floor AND :latest',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: {
            ':floor': { N: String(request.floor) },
            ':ttl': { N: String(Number(seconds(start + request.amount)) + BUCKET_RETENTION_SECONDS) },
            ...(idle
              ? { ':reached': { N: String(request.floor + request.amount) } }
              : { ':amount': { N: String(request.amount) }, ':latest': { N: String(request.latest) } }),
          },
          ReturnValues: 'UPDATED_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
        { requestTimeout: REQUEST_TIMEOUT_MS },
      );
      return { admitted: true, tat: Number(Attributes?.['tat']?.N) };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return { met: tatOf(error.Item) };
      throw error;
    }
  };

  const charge = async (request: ChargeRequest): Promise<ChargeResult> => {
    let seen = request.lastSeen;
    // A lease that would end behind what the bucket holds fits in no state of it.
    if (request.floor > request.latest) return { admitted: false, tat: seen };
    for (;;) {
      if (seen > request.latest) {
        // Never refuse on a remembered value alone: another caller's clock or an expiry may have changed it.
        const tat = await peek(request.key);
        if (tat > request.latest) return { admitted: false, tat };
        seen = tat;
      }
      const result = await update({ ...request, lastSeen: seen }, seen < request.floor);
      if ('admitted' in result) return result;
      if (result.met > request.latest) return { admitted: false, tat: result.met };
      seen = result.met;
    }
  };

  const peek = async (key: string): Promise<number> => {
    const { Item } = await dynamodb.send(
      new GetItemCommand({ TableName: table, Key: { pk: { S: key } }, ConsistentRead: true }),
      { requestTimeout: REQUEST_TIMEOUT_MS },
    );
    return tatOf(Item);
  };

  return { charge, peek };
};
