import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { directoryPartitionOf, type MonthShards, monthsOfDirectory } from './ledgerKey.ts';

/** Rows of a directory that are read: 26 months with 16 numbers of shard bits. */
const DIRECTORY_ROWS_MAXIMUM = 26 * 16;

/** The tenant's months that hold records, with their shards, ascending. Strongly consistent. */
export type ReadMonths = (tenantId: string) => Promise<MonthShards[]>;

export const monthReader =
  (table: string): ReadMonths =>
  async (tenantId) => {
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :directory AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':directory': { S: directoryPartitionOf(tenantId) },
          ':first': { S: '0' },
          ':last': { S: '9' },
        },
        // Newest first: months beyond the limit are empty, since records are kept for fewer months.
        ScanIndexForward: false,
        Limit: DIRECTORY_ROWS_MAXIMUM,
      }),
    );
    return monthsOfDirectory(Items.map((item) => item['sk']?.S ?? ''));
  };
