import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { AwsRequest } from '../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { type TableName, type TableShape, tableNames, tables } from '../../../schemas/platform/tables.ts';

export type Item = Record<string, AttributeValue>;
/** Rows by table and key. A row that does not exist is undefined. */
export type Rows = ReadonlyMap<string, Item | undefined>;

/** Keys of rows, by name. */
export type Keys = ReadonlyMap<string, readonly [table: string, key: Item]>;

const shapeOf = (table: string): TableShape => tables[table as TableName];
export const keyOf = (table: string, item: Item): Item => {
  const { partitionKey, sortKey } = shapeOf(table);
  return Object.fromEntries(
    [partitionKey, ...(sortKey === undefined ? [] : [sortKey])].map((name) => [
      name,
      item[name] ?? { S: '' },
    ]),
  );
};
export const nameOf = (table: string, item: Item): string => JSON.stringify([table, keyOf(table, item)]);

const ULIDS = /[0-9A-HJKMNP-TV-Z]{26,}/g;
const ULID_LENGTH = 26;
const TIME_LENGTH = 10;

/** Copies of a row with other ULIDs of the same times. None of a row without one in its key: a tenant has only one of it. */
export const copiesOf = (
  table: string,
  item: Item,
  copies: number,
): (readonly [table: string, item: Item])[] => {
  const text = JSON.stringify(item);
  // A ULID is the end of an id.
  const found = [...JSON.stringify(keyOf(table, item)).matchAll(ULIDS)].map(([run]) =>
    run.slice(-ULID_LENGTH),
  );
  if (found.length === 0 || text.includes('"B":')) return [];
  return Array.from({ length: copies }, (_, copy) => {
    const end = String(copy).padStart(ULID_LENGTH - TIME_LENGTH, '0');
    const copied = found.reduce((all, ulid) => all.replaceAll(ulid, ulid.slice(0, TIME_LENGTH) + end), text);
    return [table, JSON.parse(copied)] as const;
  });
};

interface AnyWrite {
  readonly TableName?: string;
  readonly Item?: Item;
  readonly Key?: Item;
}

/** The rows that a request to the tables writes. */
export const writtenBy = ({ operation, input }: AwsRequest): (readonly [table: string, key: Item])[] => {
  const sent = input as AnyWrite & {
    readonly TransactItems?: readonly Record<string, AnyWrite>[];
    readonly RequestItems?: Record<string, readonly { PutRequest?: AnyWrite; DeleteRequest?: AnyWrite }[]>;
  };
  const single = (write: AnyWrite) => [write.TableName ?? '', write.Item ?? write.Key ?? {}] as const;
  if (operation === 'TransactWriteItems')
    return (sent.TransactItems ?? []).flatMap((one) => Object.values(one).map(single));
  if (operation === 'BatchWriteItem')
    return Object.entries(sent.RequestItems ?? {}).flatMap(([table, writes]) =>
      writes.map(({ PutRequest, DeleteRequest }) =>
        single({ ...PutRequest, ...DeleteRequest, TableName: table }),
      ),
    );
  return [single(sent)];
};

type Key = readonly [table: string, key: Item];

/** The most rows of one request. */
const READ_MAXIMUM = 100;
const WRITE_MAXIMUM = 25;

const partsOf = (keys: readonly Key[], size: number): Key[][] =>
  Array.from({ length: Math.ceil(keys.length / size) }, (_, part) =>
    keys.slice(part * size, (part + 1) * size),
  );
const byTable = <Requests>(
  keys: readonly Key[],
  requestsOf: (own: readonly Key[], table: string) => Requests,
): Record<string, Requests> =>
  Object.fromEntries(
    [...Map.groupBy(keys, ([table]) => table)].map(([table, own]) => [table, requestsOf(own, table)]),
  );

/** Reads and writes rows of any table. */
export const rowAccess = (client: DynamoDBClient) => {
  const scan = async (): Promise<Rows> => {
    const rows = new Map<string, Item>();
    await Promise.all(
      tableNames.map(async (TableName) => {
        const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
        for (const item of Items) rows.set(nameOf(TableName, item), item);
      }),
    );
    return rows;
  };
  const read = async (keys: Keys): Promise<Map<string, Item | undefined>> => {
    const rows = new Map<string, Item | undefined>([...keys].map(([name]) => [name, undefined]));
    for (const part of partsOf([...keys.values()], READ_MAXIMUM)) {
      const RequestItems = byTable(part, (entries) => ({
        Keys: entries.map(([, key]) => key),
        ConsistentRead: true,
      }));
      const { Responses = {} } = await client.send(new BatchGetItemCommand({ RequestItems }));
      for (const [table, items] of Object.entries(Responses))
        for (const item of items) rows.set(nameOf(table, item), item);
    }
    return rows;
  };

  /** Writes rows as they are in a state. */
  const write = async (state: Rows, keys: Keys): Promise<void> => {
    for (const part of partsOf([...keys.values()], WRITE_MAXIMUM)) {
      const RequestItems = byTable(part, (entries, table) =>
        entries.map(([, key]) => {
          const item = state.get(nameOf(table, key));
          return item === undefined ? { DeleteRequest: { Key: key } } : { PutRequest: { Item: item } };
        }),
      );
      await client.send(new BatchWriteItemCommand({ RequestItems }));
    }
  };

  return { scan, read, write };
};
