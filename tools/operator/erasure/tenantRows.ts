import {
  type AttributeValue,
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  ScanCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { type TableName, type TableShape, tables } from '../../../schemas/platform/tables.ts';
import type { ScannedRow } from './rowOwner.ts';

/** DynamoDB's limit for one BatchWriteItem. */
const BATCH = 25;

/** The rows of one table that belong to a tenant. */
export interface TenantRows {
  readonly count: () => Promise<number>;
  /** Deletes the rows that exist at the time of the scan. */
  readonly erase: () => Promise<void>;
}

/**
 * Finds rows by a scan of the whole table, because the partitions of a tenant are not listed anywhere: their keys contain
 * months, traces, minutes and event ids. A scan reads each row once: about 3 cents a gigabyte.
 */
export const tenantRows = async (
  name: TableName,
  table: string,
  isOwned: (row: ScannedRow) => boolean,
): Promise<TenantRows> => {
  // Imported late, because the AWS clients read their endpoints at import.
  const { dynamodb } = await import('../../../functions/shared/aws/dynamodb.client.ts');
  const { sortKey }: TableShape = tables[name];
  const projected = ['pk', ...(sortKey === undefined ? [] : [sortKey]), '#document'];

  const pages = async function* (): AsyncGenerator<WriteRequest[]> {
    let resume: Record<string, AttributeValue> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await dynamodb.send(
        new ScanCommand({
          TableName: table,
          ConsistentRead: true,
          ProjectionExpression: projected.join(', '),
          ExpressionAttributeNames: { '#document': 'document' },
          ExclusiveStartKey: resume,
        }),
      );
      yield Items.filter(({ pk, sk, document }) =>
        isOwned({ pk: pk?.S ?? '', sk: sk?.S, document: document?.S }),
      ).map(({ document: _, ...key }) => ({ DeleteRequest: { Key: key } }));
      resume = LastEvaluatedKey;
    } while (resume !== undefined);
  };
  const write = async (requests: WriteRequest[]): Promise<void> => {
    let rest: WriteRequest[] | undefined = requests;
    // Throttled entries are returned. The client waits between throttled calls.
    while (rest !== undefined && rest.length > 0) {
      const { UnprocessedItems = {} }: BatchWriteItemCommandOutput = await dynamodb.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: rest } }),
      );
      rest = UnprocessedItems[table];
    }
  };
  return {
    count: async () => {
      let sum = 0;
      for await (const page of pages()) sum += page.length;
      return sum;
    },
    erase: async () => {
      for await (const page of pages())
        for (let from = 0; from < page.length; from += BATCH) await write(page.slice(from, from + BATCH));
    },
  };
};
