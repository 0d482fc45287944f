import { type AttributeValue, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { pascalCase } from '../../lib/pascalCase.ts';
import { isDerived, tableNames } from '../../schemas/platform/tables.ts';
import { localClient } from '../../test/support/localAws.ts';
import type { MeasuredService } from '../support/service.ts';
import { itemSize } from './itemSize.ts';
import { prices } from './prices.ts';

/** DynamoDB adds this to the size of an item when it bills storage (developer guide, "Item sizes and formats"). */
const STORED_ITEM_BYTES = 100;
/** Of items without an expiry, such as audit entries. */
const DEFAULT_MONTHS = 25.5;
const MONTH_SECONDS = 730 * 3_600;
const GIGABYTE = 1e9;
const MILLION = 1e6;

type Item = Readonly<Record<string, AttributeValue>>;

/** What the items of one kind are until they expire. */
export interface StoredBytes {
  readonly items: number;
  readonly bytes: number;
  /** Bytes times the months until each item expires. */
  readonly byteMonths: number;
}

/** The kind of an item: its table, and what the ledger holds besides records. */
export const kindOfItem = (table: string, item: Item): string => {
  if (table !== 'ledger') return table;
  return item['detail'] === undefined ? 'ledger index' : 'ledger records';
};

/** Bytes of an item, and for how long they are stored. */
export const storedItem = (item: Item, nowSeconds: number): StoredBytes => {
  const ttl = item['ttl']?.N;
  const months = ttl === undefined ? DEFAULT_MONTHS : Math.max(0, Number(ttl) - nowSeconds) / MONTH_SECONDS;
  const bytes = itemSize(item) + STORED_ITEM_BYTES;
  return { items: 1, bytes, byteMonths: bytes * months };
};

const NOTHING: StoredBytes = { items: 0, bytes: 0, byteMonths: 0 };
const combine = (one: StoredBytes, other: StoredBytes, sign: 1 | -1): StoredBytes => ({
  items: one.items + sign * other.items,
  bytes: one.bytes + sign * other.bytes,
  byteMonths: one.byteMonths + sign * other.byteMonths,
});

/** The stored items of every table, by kind. */
export const storedByKind = async ({ runtime }: MeasuredService): Promise<Map<string, StoredBytes>> => {
  const client = new DynamoDBClient(localClient(runtime.endpoints.dynamodb));
  const stored = new Map<string, StoredBytes>();
  const nowSeconds = Date.now() / 1_000;
  for (const table of tableNames) {
    const TableName = runtime.outputs[`Table${pascalCase(table)}`];
    for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
      for (const item of Items) {
        const kind = kindOfItem(table, item);
        stored.set(kind, combine(stored.get(kind) ?? NOTHING, storedItem(item, nowSeconds), 1));
      }
    }
  }
  client.destroy();
  return stored;
};

/** Storage of one kind of items of the events between two readings. */
export interface StorageRow {
  readonly kind: string;
  readonly itemsPerEvent: number;
  readonly bytesPerEvent: number;
  /** Months until the items expire. */
  readonly months: number;
}

/** One row for each kind that grew. */
export const storageRows = (
  before: ReadonlyMap<string, StoredBytes>,
  after: ReadonlyMap<string, StoredBytes>,
  events: number,
): StorageRow[] =>
  [...after]
    .map(([kind, stored]) => ({ kind, grown: combine(stored, before.get(kind) ?? NOTHING, -1) }))
    .filter(({ grown }) => grown.bytes > 0)
    .map(({ kind, grown }) => ({
      kind,
      itemsPerEvent: grown.items / events,
      bytesPerEvent: grown.bytes / events,
      months: grown.byteMonths / grown.bytes,
    }));

/** USD per million events for the table and its point-in-time recovery, by the class of the table. */
export const storageUsd = (
  { kind, bytesPerEvent, months }: StorageRow,
  atMostMonths = Number.POSITIVE_INFINITY,
): { readonly table: number; readonly backup: number } => {
  const gigabyteMonths = (bytesPerEvent * MILLION * Math.min(months, atMostMonths)) / GIGABYTE;
  return tableNames.some((name) => name === kind && isDerived(name))
    ? { table: gigabyteMonths * prices.infrequentGigabyteMonth.usd, backup: 0 }
    : {
        table: gigabyteMonths * prices.dynamodbGigabyteMonth.usd,
        backup: gigabyteMonths * prices.recoveryGigabyteMonth.usd,
      };
};
