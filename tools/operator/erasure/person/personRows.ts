import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { dynamodb } from '../../../../functions/platform/shared/aws/dynamodb.client.ts';
import { timeOfUlid } from '../../../../functions/platform/shared/ulid.ts';
import type { TableShape } from '../../../../schemas/platform/tables.ts';
import { scanPages } from '../../restore/tableRows.ts';
import type { Rename } from './rename.ts';
import { type Row, renameAttributes } from './renameRow.ts';

const CONCURRENCY = 8;

/** Numbers of rows. */
export interface RenamedRows {
  /** Rows that contained the name. */
  readonly found: number;
  /** Rows that a running function changed in the meantime. They still contain the name. */
  readonly changed: number;
}

/** Writes the renamed attributes, unless one of them has changed since it was read. */
const update = async (table: string, shape: TableShape, row: Row, renamed: Row): Promise<boolean> => {
  const names = Object.keys(renamed);
  const each = (text: (index: number) => string, joint: string) =>
    names.map((_, index) => text(index)).join(joint);
  const keys = [shape.partitionKey, ...(shape.sortKey === undefined ? [] : [shape.sortKey])];
  try {
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: Object.fromEntries(keys.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]]))),
        UpdateExpression: `SET ${each((index) => `#a${index} = :new${index}`, ', ')}`,
        ConditionExpression: each((index) => `#a${index} = :old${index}`, ' AND '),
        ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#a${index}`, name])),
        ExpressionAttributeValues: Object.fromEntries(
          names.flatMap((name, index) =>
            [
              [`:new${index}`, renamed[name]],
              [`:old${index}`, row[name]],
            ].filter(([, value]) => value !== undefined),
          ),
        ),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

/** A version of the ledger has deflated details, and its sort key starts with the ULID of the call. Epoch milliseconds. */
const timesOf = (row: Row): number[] =>
  row['detail'] === undefined ? [] : [timeOfUlid((row['sk']?.S ?? '').split('#')[0] ?? '')];

/**
 * Renames a person in the selected rows of a table. `markDirty` has the totals of these calls summed again. It is called
 * before the rows change and afterwards: so an interruption in between leaves no total of the old name.
 */
export const renameInTable = async (
  { table, shape }: { readonly table: string; readonly shape: TableShape },
  rename: Rename,
  options: {
    readonly isSelected: (row: Row) => boolean;
    readonly markDirty: (times: readonly number[]) => Promise<void>;
  },
): Promise<RenamedRows> => {
  let [found, changed] = [0, 0];
  for await (const page of scanPages(table)) {
    const rows = page.filter(options.isSelected).flatMap((row) => {
      const renamed = renameAttributes(shape, row, rename);
      return Object.keys(renamed).length === 0 ? [] : [{ row, renamed }];
    });
    found += rows.length;
    const times = rows.flatMap(({ row }) => timesOf(row));
    if (times.length > 0) await options.markDirty(times);
    await pMap(
      rows,
      async ({ row, renamed }) => {
        if (!(await update(table, shape, row, renamed))) changed += 1;
      },
      { concurrency: CONCURRENCY },
    );
    if (times.length > 0) await options.markDirty(times);
  }
  return { found, changed };
};

/** The number of selected rows that contain the name. */
export const countInTable = async (
  { table, shape }: { readonly table: string; readonly shape: TableShape },
  rename: Rename,
  isSelected: (row: Row) => boolean,
): Promise<number> => {
  let found = 0;
  for await (const page of scanPages(table)) {
    found += page
      .filter(isSelected)
      .filter((row) => Object.keys(renameAttributes(shape, row, rename)).length > 0).length;
  }
  return found;
};
