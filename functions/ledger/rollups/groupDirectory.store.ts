import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { putWithoutTransaction } from '../../platform/shared/aws/document.store.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { type Month, startOfNextMonth } from '../../platform/shared/time/month.ts';
import { RETENTION_MILLISECONDS } from '../records/ledgerItem.ts';

/** Hashes in one item. The last item, at most 16 kB, is rewritten when a group is added. */
const CHUNK = 1_000;
const HASH_LENGTH = 16;

/** The hashes of the groups of each tenant and month, in the order in which they were added. */
export interface GroupDirectory {
  readonly read: (tenantId: string, month: Month) => Promise<ReadonlySet<string>>;
  /**
   * Adds new hashes behind those that were read. Returns false when another writer added some since. Then a part of the new
   * ones may have been added.
   */
  readonly append: (
    tenantId: string,
    month: Month,
    known: ReadonlySet<string>,
    added: readonly string[],
  ) => Promise<boolean>;
}

const partitionOf = (tenantId: string, month: Month): string => `${tenantId}#groups#${month}`;

const hashesIn = (text: string): string[] =>
  Array.from({ length: text.length / HASH_LENGTH }, (_, index) =>
    text.slice(index * HASH_LENGTH, (index + 1) * HASH_LENGTH),
  );

export const groupDirectory = (table: string): GroupDirectory => ({
  read: async (tenantId, month) => {
    // A month has at most 12 items of 16 kB, which fit into one answer.
    const { Items = [] } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: partitionOf(tenantId, month) } },
      }),
    );
    return new Set(Items.flatMap((item) => hashesIn(item['hashes']?.S ?? '')));
  },
  append: async (tenantId, month, known, added) => {
    const all = [...known, ...added];
    const ttl = Math.ceil((startOfNextMonth(month) + RETENTION_MILLISECONDS) / 1_000);
    for (let chunk = Math.floor(known.size / CHUNK); chunk * CHUNK < all.length; chunk += 1) {
      const before = Math.max(0, known.size - chunk * CHUNK);
      const isWritten = await putWithoutTransaction({
        TableName: table,
        Item: {
          pk: { S: partitionOf(tenantId, month) },
          sk: { S: String(chunk).padStart(3, '0') },
          hashes: { S: all.slice(chunk * CHUNK, (chunk + 1) * CHUNK).join('') },
          ttl: { N: String(ttl) },
        },
        ConditionExpression: before === 0 ? 'attribute_not_exists(pk)' : 'size(hashes) = :before',
        ...(before > 0 && { ExpressionAttributeValues: { ':before': { N: String(before * HASH_LENGTH) } } }),
      });
      if (!isWritten) return false;
    }
    return true;
  },
});
