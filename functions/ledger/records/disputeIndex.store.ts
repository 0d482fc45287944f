import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import type { DocumentRange, Write } from '../../platform/shared/aws/document.store.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { ulidInId } from '../../platform/shared/ids.ts';

/** Partition of the disputes of a tenant, in the order in which they were opened. */
const partitionOf = (tenantId: string): string => `${tenantId}#disputes`;

/** A dispute and its record. The record says what the dispute is about, and whether it is still its newest dispute. */
export interface DisputeEntry {
  /** ULID of the dispute. */
  readonly dispute: string;
  /** ULID of the record. */
  readonly record: string;
}

/**
 * The write that lists a dispute, in the transaction of the version that opens or resolves it. Null when the next version
 * changes neither. `expires` is the expiry of the record (epoch seconds).
 */
export const disputeEntryOf = (
  table: string,
  previous: AttributionRecord,
  next: AttributionRecord,
  expires: number,
): Write | null => {
  const { dispute } = next;
  if (dispute === undefined) return null;
  if (dispute.id === previous.dispute?.id && dispute.status === previous.dispute.status) return null;
  return {
    Put: {
      TableName: table,
      Item: {
        pk: { S: partitionOf(next.tenant_id) },
        sk: { S: ulidInId(dispute.id) },
        record: { S: ulidInId(next.id) },
        status: { S: dispute.status },
        ttl: { N: String(expires) },
      },
    },
  };
};

type DisputeStatus = NonNullable<AttributionRecord['dispute']>['status'];

export interface DisputeReader {
  /** Disputes with a status, or with any, in the order of their ULIDs. Strongly consistent. */
  readonly disputes: (
    tenantId: string,
    status: DisputeStatus | undefined,
    range: DocumentRange,
  ) => Promise<DisputeEntry[]>;
}

/** Rows that one query examines for those with a status: about 14 read units. */
const EXAMINED_ROWS = 1_000;

export const disputeReader = (table: string): DisputeReader => ({
  disputes: async (tenantId, status, { after, descending, limit }) => {
    const entries: DisputeEntry[] = [];
    let resume: Record<string, AttributeValue> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await dynamodb.send(
        new QueryCommand({
          TableName: table,
          ConsistentRead: true,
          KeyConditionExpression:
            after === undefined ? 'pk = :pk' : `pk = :pk AND sk ${descending ? '<' : '>'} :after`,
          ...(status !== undefined && {
            FilterExpression: '#status = :status',
            ExpressionAttributeNames: { '#status': 'status' },
          }),
          ExpressionAttributeValues: {
            ':pk': { S: partitionOf(tenantId) },
            ...(after !== undefined && { ':after': { S: after } }),
            ...(status !== undefined && { ':status': { S: status } }),
          },
          ScanIndexForward: !descending,
          Limit: status === undefined ? limit - entries.length : EXAMINED_ROWS,
          ExclusiveStartKey: resume,
        }),
      );
      entries.push(
        ...Items.map((item) => ({ dispute: item['sk']?.S ?? '', record: item['record']?.S ?? '' })),
      );
      resume = LastEvaluatedKey;
    } while (resume !== undefined && entries.length < limit);
    return entries.slice(0, limit);
  },
});
