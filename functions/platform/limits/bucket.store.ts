import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DAY_SECONDS } from '../../../schemas/durations.ts';
import type { RateClass } from '../../../schemas/platform/limits.ts';
import { optionalCall } from '../shared/aws/calls/optionalCall.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { MAX_CLOCK_SKEW } from './bucket.ts';

/**
 * Longer than the maximum lifetime of an API key, because the bucket also stores when its principal last called (see
 * lastUse.store.ts).
 */
export const BUCKET_RETENTION_SECONDS = 400 * DAY_SECONDS;

export interface ChargeRequest {
  readonly key: string;
  /** How far the charge moves `tat` ahead, in microseconds. */
  readonly amount: number;
  /** The start of the charge if the `tat` of the bucket is earlier. */
  readonly floor: number;
  /** The latest `tat` at which the charge is admitted. */
  readonly latest: number;
  /** Replaces a `tat` that is later than `emptied` by more than `MAX_CLOCK_SKEW`. */
  readonly emptied: number;
  /** The `tat` last read. It selects the update whose condition probably holds. */
  readonly lastTat: number;
}

export type ChargeResult = { readonly admitted: boolean; readonly tat: number };

export interface BucketStore {
  readonly charge: (request: ChargeRequest) => Promise<ChargeResult>;
  /** The `tat` of the bucket; 0 for a bucket that was never charged, which is full. */
  readonly peek: (key: string) => Promise<number>;
}

/** The partition key of a bucket. Each bucket has its own partition, so tenants do not slow each other down. */
export const bucketKey = (tenantId: string, principal: string, rateClass: RateClass): string =>
  `${tenantId}#${principal}#${rateClass}`;

const tatOf = (item: Record<string, AttributeValue> | undefined): number => Number(item?.['tat']?.N ?? 0);

const toSeconds = (microseconds: number): string => String(Math.ceil(microseconds / 1_000_000));

export const bucketStore = (table: string): BucketStore => {
  /**
   * `tat = max(tat, floor) + amount`, if `max(tat, floor) <= latest`. A condition expression has no maximum function, so
   * there are two updates with different conditions. A failed update returns the current `tat`, which shows whether the
   * other update applies or the charge is refused.
   */
  const update = async (
    request: ChargeRequest,
    idle: boolean,
  ): Promise<ChargeResult | { readonly currentTat: number }> => {
    const start = idle ? request.floor : request.lastTat;
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
            ':ttl': { N: String(Number(toSeconds(start + request.amount)) + BUCKET_RETENTION_SECONDS) },
            ...(idle
              ? { ':reached': { N: String(request.floor + request.amount) } }
              : { ':amount': { N: String(request.amount) }, ':latest': { N: String(request.latest) } }),
          },
          ReturnValues: 'UPDATED_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
        optionalCall(),
      );
      return { admitted: true, tat: Number(Attributes?.['tat']?.N) };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return { currentTat: tatOf(error.Item) };
      throw error;
    }
  };

  /**
   * Empties a bucket that a clock ahead of time has charged. Without this the caller is refused until the real time
   * reaches that `tat`, which can be hours. Does nothing if the bucket has changed since `observedTat` was read.
   */
  const empty = async ({ key, emptied }: ChargeRequest, observedTat: number): Promise<void> => {
    try {
      await dynamodb.send(
        new UpdateItemCommand({
          TableName: table,
          Key: { pk: { S: key } },
          UpdateExpression: 'SET tat = :emptied, #ttl = :ttl',
          ConditionExpression: 'tat = :observed',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: {
            ':emptied': { N: String(emptied) },
            ':observed': { N: String(observedTat) },
            ':ttl': { N: String(Number(toSeconds(emptied)) + BUCKET_RETENTION_SECONDS) },
          },
        }),
        optionalCall(),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  };

  const refuse = async (request: ChargeRequest, tat: number): Promise<ChargeResult> => {
    if (tat <= request.emptied + MAX_CLOCK_SKEW) return { admitted: false, tat };
    await empty(request, tat);
    return { admitted: false, tat: request.emptied };
  };

  const charge = async (request: ChargeRequest): Promise<ChargeResult> => {
    let knownTat = request.lastTat;
    // A lease that ends after `latest` is admitted in no state of the bucket.
    if (request.floor > request.latest) return { admitted: false, tat: knownTat };
    for (;;) {
      if (knownTat > request.latest) {
        // Never refuse on a cached value alone: another function's clock or an expiry may have changed the bucket.
        const tat = await peek(request.key);
        if (tat > request.latest) return refuse(request, tat);
        knownTat = tat;
      }
      const result = await update({ ...request, lastTat: knownTat }, knownTat < request.floor);
      if ('admitted' in result) return result;
      if (result.currentTat > request.latest) return refuse(request, result.currentTat);
      knownTat = result.currentTat;
    }
  };

  const peek = async (key: string): Promise<number> => {
    const { Item } = await dynamodb.send(
      new GetItemCommand({ TableName: table, Key: { pk: { S: key } }, ConsistentRead: true }),
      optionalCall(),
    );
    return tatOf(Item);
  };

  return { charge, peek };
};
