import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DAY_MS } from '../../../schemas/durations.ts';
import { batchedInsert } from '../../platform/shared/aws/batchInsert.store.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';
import { RETENTION_MILLISECONDS } from './ledgerItem.ts';

/** Claims outlive their records, so that a late duplicate never finds a record without its claim. */
const CLAIM_RETENTION_MILLISECONDS = RETENTION_MILLISECONDS + 31 * DAY_MS;

const number = (value: number): AttributeValue => ({ N: String(value) });

/** The first event that arrived with an event id. Times are epoch milliseconds. */
export interface DedupClaim {
  /** The time in the ULID of the record. */
  readonly occurredAt: number;
  readonly receivedAt: number;
  /** Null if the claim was lost and written again from its record, which does not hold the event as it was sent. */
  readonly contentHash: string | null;
  /** ULID of the record. Every retry uses it, and the record of an invocation is found by it. */
  readonly record: string;
  /** Digest of who observed the call: its capture layer and source system. */
  readonly observer: string;
  /** The lane of the record. */
  readonly lane: string | null;
}

/** Most observers of one call, besides the first. Further ones are counted as mismatches. */
const OBSERVERS_MAXIMUM = 7;

export interface DedupClaimStore {
  /** Claims an event id. Returns the existing claim when there is one. */
  readonly claim: (tenantId: string, invocationUlid: string, claim: DedupClaim) => Promise<DedupClaim>;
  /**
   * Claims the observation of a call by another observer than the first. False if this observer has observed it with other
   * content, or if the call has too many observers.
   */
  readonly observe: (
    tenantId: string,
    invocationUlid: string,
    observation: { readonly observer: string; readonly contentHash: string },
  ) => Promise<boolean>;
  /** Counts a duplicate whose content differs from the claim's. */
  readonly countMismatch: (tenantId: string, invocationUlid: string) => Promise<void>;
}

/** The row of a claim. Names are short, because there is a row for each event. */
export const toClaimItem = (
  tenantId: string,
  invocationUlid: string,
  claim: Omit<DedupClaim, 'occurredAt'>,
): Record<string, AttributeValue> => ({
  pk: { S: `${tenantId}#${invocationUlid}` },
  at: number(claim.receivedAt),
  ...(claim.contentHash !== null && { hash: { S: claim.contentHash } }),
  record: { S: claim.record },
  by: { S: claim.observer },
  ...(claim.lane !== null && { lane: { S: claim.lane } }),
  ttl: number(Math.ceil((claim.receivedAt + CLAIM_RETENTION_MILLISECONDS) / 1_000)),
});

/** `insert` shares calls between claims. */
const claimWith =
  (table: string, insert: ReturnType<typeof batchedInsert>): DedupClaimStore['claim'] =>
  async (tenantId, invocationUlid, claim) => {
    const Item = toClaimItem(tenantId, invocationUlid, claim);
    if (await insert(Item)) return claim;
    try {
      await dynamodb.send(
        new PutItemCommand({
          TableName: table,
          Item,
          ConditionExpression: 'attribute_not_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return claim;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const { at, hash, record: recordAttribute, by, lane } = error.Item ?? {};
      const record = recordAttribute?.S ?? '';
      return {
        occurredAt: timeOfUlid(record),
        receivedAt: Number(at?.N),
        contentHash: hash?.S ?? null,
        record,
        observer: by?.S ?? '',
        lane: lane?.S ?? null,
      };
    }
  };

export const dedupClaimStore = (table: string): DedupClaimStore => ({
  claim: claimWith(
    table,
    batchedInsert(table, ({ pk }) => `${pk?.S}`),
  ),
  observe: async (tenantId, invocationUlid, { observer, contentHash }) => {
    const attribute = `observed_${observer}`;
    try {
      await dynamodb.send(
        new UpdateItemCommand({
          TableName: table,
          Key: { pk: { S: `${tenantId}#${invocationUlid}` } },
          UpdateExpression: 'SET #observed = :content ADD observers :one',
          ConditionExpression:
            'attribute_exists(pk) AND attribute_not_exists(#observed) AND (attribute_not_exists(observers) OR observers < :most)',
          ExpressionAttributeNames: { '#observed': attribute },
          ExpressionAttributeValues: {
            ':content': { S: contentHash },
            ':one': number(1),
            ':most': number(OBSERVERS_MAXIMUM),
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return error.Item?.[attribute]?.S === contentHash;
    }
  },
  countMismatch: async (tenantId, invocationUlid) => {
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { pk: { S: `${tenantId}#${invocationUlid}` } },
        UpdateExpression: 'ADD mismatches :one',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':one': number(1) },
      }),
    );
  },
});

export interface DedupClaimReader {
  /** ULID of an invocation's record; null when the invocation does not exist. The record may not be written yet. */
  readonly recordOf: (tenantId: string, invocationUlid: string) => Promise<string | null>;
}

export const dedupClaimReader = (table: string): DedupClaimReader => ({
  recordOf: async (tenantId, invocationUlid) => {
    const { Item } = await dynamodb.send(
      new GetItemCommand({
        TableName: table,
        Key: { pk: { S: `${tenantId}#${invocationUlid}` } },
        ConsistentRead: true,
      }),
    );
    return Item?.['record']?.S ?? null;
  },
});
