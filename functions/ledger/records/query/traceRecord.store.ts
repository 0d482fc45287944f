import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';

export interface TraceRecordReader {
  /**
   * ULIDs of a trace's records in order of time, strongly consistent: at most `limit`, from the start or the end. A record
   * whose call several observers saw is repeated.
   */
  readonly recordsOf: (
    tenantId: string,
    traceId: string,
    range: { readonly descending: boolean; readonly limit: number },
  ) => Promise<string[]>;
}

export const traceRecordReader = (table: string): TraceRecordReader => ({
  recordsOf: async (tenantId, traceId, { descending, limit }) => {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: `${tenantId}#${traceId}` } },
        ProjectionExpression: 'sk',
        ScanIndexForward: !descending,
        Limit: limit,
      }),
    );
    return Items.map((item) => item['sk']?.S?.split('#', 1)[0] ?? '');
  },
});
