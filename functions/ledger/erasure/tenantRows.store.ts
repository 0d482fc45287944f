import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type TableName, type TableShape, tables } from '../../../schemas/platform/tables.ts';
import { MAX_ITEMS, writeAll } from '../../platform/shared/aws/batches/batchPut.store.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { chunksOf } from '../../platform/shared/chunksOf.ts';
import type { ScannedRow } from './rowOwner.ts';

/** What was deleted, and where the next page starts. Null: the scan is complete. */
export interface ErasedPage {
  readonly erased: number;
  readonly resume: string | null;
}

/** The rows of one table that belong to a tenant. */
export interface TenantRows {
  readonly count: () => Promise<number>;
  /** Deletes the rows that exist at the time of the scan. */
  readonly erase: () => Promise<void>;
}

/** The rows of a table, which a scan can also delete page by page. */
export interface PagedTenantRows extends TenantRows {
  /** Deletes the rows of one page of at most 1 MB. `resume` is from the last page; null at the beginning. */
  readonly erasePage: (resume: string | null) => Promise<ErasedPage>;
}

type Key = Record<string, AttributeValue>;

/** The place of a scan as text. All keys are strings. */
const Place = z.record(z.string(), z.object({ S: z.string() }));
const parsePlace = (resume: string | null): Key | undefined =>
  resume === null ? undefined : Place.parse(JSON.parse(resume));

/**
 * Finds rows by a scan of the whole table, because the partitions of a tenant are not listed anywhere: their keys contain
 * months, traces, minutes and event ids. A scan reads each row once: about 3 cents a gigabyte.
 */
export const tenantRows = (
  name: TableName,
  table: string,
  isOwned: (row: ScannedRow) => boolean,
): PagedTenantRows => {
  const { sortKey }: TableShape = tables[name];
  const projected = ['pk', ...(sortKey === undefined ? [] : [sortKey]), '#document'];

  const read = async (resume: string | null): Promise<{ keys: Key[]; resume: string | null }> => {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new ScanCommand({
        TableName: table,
        ConsistentRead: true,
        ProjectionExpression: projected.join(', '),
        ExpressionAttributeNames: { '#document': 'document' },
        ExclusiveStartKey: parsePlace(resume),
      }),
    );
    const keys = Items.filter(({ pk, sk, document }) =>
      isOwned({ pk: pk?.S ?? '', sk: sk?.S, document: document?.S }),
    ).map(({ document: _, ...key }) => key);
    return { keys, resume: LastEvaluatedKey === undefined ? null : JSON.stringify(LastEvaluatedKey) };
  };
  const erasePage = async (from: string | null): Promise<ErasedPage> => {
    const { keys, resume } = await read(from);
    const requests = keys.map((Key) => ({ DeleteRequest: { Key } }));
    for (const chunk of chunksOf(requests, MAX_ITEMS)) await writeAll(table, chunk);
    return { erased: keys.length, resume };
  };
  return {
    count: async () => {
      let sum = 0;
      let page = await read(null);
      for (; page.resume !== null; page = await read(page.resume)) sum += page.keys.length;
      return sum + page.keys.length;
    },
    erase: async () => {
      let { resume } = await erasePage(null);
      while (resume !== null) ({ resume } = await erasePage(resume));
    },
    erasePage,
  };
};
