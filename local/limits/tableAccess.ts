import type { AwsRequest } from './awsRequest.ts';
import { type Fields, fields, list, text } from './fields.ts';
import type { Access } from './limitState.ts';

/** One item or key range that a DynamoDB call reads or writes. */
export interface TableAccess {
  readonly table: string;
  /** The partition key, as text. Undefined for a scan. */
  readonly key: string | undefined;
  readonly access: Access;
}

/** The partition key attribute of each table. */
export type PartitionKeys = ReadonlyMap<string, string>;

/** A key attribute as text. */
export const scalar = (value: unknown): string | undefined => {
  const { S, N, B } = fields(value);
  if (S !== undefined || N !== undefined) return String(S ?? N);
  return B instanceof Uint8Array ? Buffer.from(B).toString('base64') : undefined;
};

/** The parameter of `key = :parameter` in the key condition of a query. */
const parameterOf = (condition: string, names: Fields, attribute: string): string | undefined => {
  for (const [, name = '', parameter] of condition.matchAll(/([\w#.-]+)\s*=\s*(:\w+)/g)) {
    if ((names[name] ?? name) === attribute) return parameter;
  }
  return undefined;
};

const ITEM_OPERATIONS: Readonly<Record<string, Access>> = {
  PutItem: 'write',
  UpdateItem: 'write',
  DeleteItem: 'write',
  GetItem: 'read',
};
const TRANSACTION_PARTS: Readonly<Record<string, Access>> = {
  Put: 'write',
  Update: 'write',
  Delete: 'write',
  ConditionCheck: 'write',
  Get: 'read',
};

/** The items and ranges that a call touches, in the order of the call. Empty for calls without data, such as DescribeTable. */
export const accessesOf = (
  { operation, input }: Pick<AwsRequest, 'operation' | 'input'>,
  keys: PartitionKeys,
): TableAccess[] => {
  const call = fields(input);
  const one = (part: Fields, access: Access): TableAccess => {
    const table = text(part['TableName']);
    const attribute = keys.get(table) ?? '';
    return { table, key: scalar(fields(part['Item'] ?? part['Key'])[attribute]), access };
  };
  const item = ITEM_OPERATIONS[operation];
  if (item !== undefined) return [one(call, item)];
  switch (operation) {
    case 'Query': {
      const table = text(call['TableName']);
      const names = fields(call['ExpressionAttributeNames']);
      const parameter = parameterOf(text(call['KeyConditionExpression']), names, keys.get(table) ?? '');
      const key = scalar(fields(call['ExpressionAttributeValues'])[parameter ?? '']);
      return [{ table, key, access: 'read' }];
    }
    case 'Scan':
      return [{ table: text(call['TableName']), key: undefined, access: 'read' }];
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return list(call['TransactItems']).flatMap((entry) =>
        Object.entries(fields(entry)).flatMap(([name, part]) => {
          const kind = TRANSACTION_PARTS[name];
          return kind === undefined || part === undefined ? [] : [one(fields(part), kind)];
        }),
      );
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return batchEntries(call).map(({ table, entry }) => batchAccess(table, entry, keys));
    default:
      return [];
  }
};

/** One key or write of a batch, as its caller gave it. */
export interface BatchEntry {
  readonly table: string;
  readonly entry: unknown;
}

/** The keys or writes of a batch, table by table. */
export const batchEntries = (call: Fields): BatchEntry[] =>
  Object.entries(fields(call['RequestItems'])).flatMap(([table, requested]) =>
    (Array.isArray(requested) ? requested : list(fields(requested)['Keys'])).map((entry: unknown) => ({
      table,
      entry,
    })),
  );

const batchAccess = (table: string, entry: unknown, keys: PartitionKeys): TableAccess => {
  const { PutRequest, DeleteRequest } = fields(entry);
  const attribute = keys.get(table) ?? '';
  if (PutRequest !== undefined) {
    return { table, key: scalar(fields(fields(PutRequest)['Item'])[attribute]), access: 'write' };
  }
  if (DeleteRequest !== undefined) {
    const key = scalar(fields(fields(DeleteRequest)['Key'])[attribute]);
    return { table, key, access: 'write' };
  }
  return { table, key: scalar(fields(entry)[attribute]), access: 'read' };
};

/** A batch with only some of its entries. */
export const withEntries = (call: Fields, entries: readonly BatchEntry[]): Fields => ({
  ...call,
  RequestItems: requestItems(call, entries),
});

/** Entries in the form of `RequestItems`, `UnprocessedItems` and `UnprocessedKeys`. */
export const requestItems = (call: Fields, entries: readonly BatchEntry[]): Record<string, unknown> => {
  const requested = fields(call['RequestItems']);
  return Object.fromEntries(
    [...Map.groupBy(entries, ({ table }) => table)].map(([table, group]) => {
      const kept = group.map(({ entry }) => entry);
      return [table, Array.isArray(requested[table]) ? kept : { ...fields(requested[table]), Keys: kept }];
    }),
  );
};
