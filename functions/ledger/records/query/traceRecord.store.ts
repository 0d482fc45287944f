import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { tracePartition } from '../trace/tracePartition.ts';
import { FIRST_RECORD_KEY, RECORD_NAME } from '../trace/traceRow.store.ts';

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

export const traceRecordReader = (table: string): TraceRecordReader => ({
  recordsOf: async (tenantId, traceId, { descending, limit }) => {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk >= :first',
        ExpressionAttributeValues: {
          ':pk': { S: tracePartition(tenantId, traceId) },
          ':first': { S: FIRST_RECORD_KEY },
        },
        ProjectionExpression: 'sk',
        ScanIndexForward: !descending,
        Limit: limit,
      }),
    );
    return Items.map((item) => {
      const name = item['sk']?.S ?? '';
      return { ulid: RECORD_NAME.exec(name)?.groups?.['record'] ?? '', isOrdered: !name.startsWith('~') };
    });
  },
});
