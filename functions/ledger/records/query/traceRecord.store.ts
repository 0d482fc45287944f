import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { fromPackRows, isIndexed, PACKS } from '../trace/tracePack.store.ts';
import { tracePartition } from '../trace/tracePartition.ts';
import { FIRST_RECORD_KEY, RECORD_NAME, type Row, spanKey } from '../trace/traceRow.store.ts';

export interface TraceRecordReader {
  /**
   * ULIDs of a trace's records, strongly consistent: at most `limit`, from the start or the end. Those of the tenant in its
   * home lane come first, in order of time. A record whose call several observers saw is repeated.
   */
  readonly recordsOf: (
    tenantId: string,
    traceId: string,
    range: { readonly descending: boolean; readonly limit: number },
  ) => Promise<{ readonly ulid: string; readonly isOrdered: boolean }[]>;
}

export const traceRecordReader = (table: string): TraceRecordReader => {
  const query = async (
    tenantId: string,
    traceId: string,
    condition: string,
    sk: string,
    options: Partial<QueryCommandInput> = {},
  ): Promise<Row[]> => {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: `pk = :pk AND ${condition}`,
        ExpressionAttributeValues: { ':pk': { S: tracePartition(tenantId, traceId) }, ':sk': { S: sk } },
        ...options,
      }),
    );
    return Items;
  };
  return {
    recordsOf: async (tenantId, traceId, { descending, limit }) => {
      const packs = await query(tenantId, traceId, 'begins_with(sk, :sk)', PACKS);
      const packed = isIndexed(packs[0]) ? [] : fromPackRows(packs);
      const rows =
        packed.length > 0
          ? []
          : await query(tenantId, traceId, 'sk >= :sk', FIRST_RECORD_KEY, {
              ProjectionExpression: 'sk',
              ScanIndexForward: !descending,
              Limit: limit,
            });
      const names = packed.map(spanKey).toSorted();
      return [...(descending ? names.toReversed() : names), ...rows.map(({ sk }) => sk?.S ?? '')]
        .slice(0, limit)
        .map((name) => ({
          ulid: RECORD_NAME.exec(name)?.groups?.['record'] ?? '',
          isOrdered: !name.startsWith('~'),
        }));
    },
  };
};
