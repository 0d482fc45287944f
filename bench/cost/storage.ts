import { type AttributeValue, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { localClient } from '../../test/support/localAws.ts';
import type { MeasuredService } from '../support/service.ts';
import { itemSize } from './itemSize.ts';
import { prices } from './prices.ts';

/** DynamoDB adds this to the size of an item when it bills storage (developer guide, "Item sizes and formats"). */
const STORED_ITEM_BYTES = 100;
const MONTH_SECONDS = 730 * 3_600;
const GIGABYTE = 1e9;
const MILLION = 1e6;

/** What the items of a table are until they expire. */
export interface StoredBytes {
  readonly items: number;
  readonly bytes: number;
  /** Bytes times the months until each item expires. */
  readonly byteMonths: number;
}

/** Bytes of an item, and for how long they are stored. Without a TTL an item counts for `defaultMonths`. */
export const storedItem = (
  item: Readonly<Record<string, AttributeValue>>,
  nowSeconds: number,
  defaultMonths: number,
): StoredBytes => {
  const ttl = item['ttl']?.N;
  const months = ttl === undefined ? defaultMonths : Math.max(0, Number(ttl) - nowSeconds) / MONTH_SECONDS;
  const bytes = itemSize(item) + STORED_ITEM_BYTES;
  return { items: 1, bytes, byteMonths: bytes * months };
};

const NOTHING: StoredBytes = { items: 0, bytes: 0, byteMonths: 0 };
const combine = (one: StoredBytes, other: StoredBytes, sign: 1 | -1): StoredBytes => ({
  items: one.items + sign * other.items,
  bytes: one.bytes + sign * other.bytes,
  byteMonths: one.byteMonths + sign * other.byteMonths,
});

/** The stored items of every table, by the name of the table. */
export const storedByTable = async (
  { runtime }: MeasuredService,
  defaultMonths: number,
): Promise<Map<string, StoredBytes>> => {
  const client = new DynamoDBClient(localClient(runtime.endpoints.dynamodb));
  const stored = new Map<string, StoredBytes>();
  const nowSeconds = Date.now() / 1_000;
  for (const [output, TableName] of Object.entries(runtime.outputs)) {
    if (!output.startsWith('Table')) continue;
    let sum = NOTHING;
    for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
      for (const item of Items) sum = combine(sum, storedItem(item, nowSeconds, defaultMonths), 1);
    }
    stored.set(output.slice('Table'.length), sum);
  }
  client.destroy();
  return stored;
};

/** Storage of the events between two readings. */
export interface StorageRow {
  readonly table: string;
  readonly itemsPerEvent: number;
  readonly bytesPerEvent: number;
  readonly months: number;
  /** USD per million events, for the tables and their point-in-time recovery, until the items expire. */
  readonly usd: number;
}

/** One row for each table that grew. */
export const storageRows = (
  before: ReadonlyMap<string, StoredBytes>,
  after: ReadonlyMap<string, StoredBytes>,
  events: number,
): StorageRow[] =>
  [...after]
    .map(([table, stored]) => ({ table, grown: combine(stored, before.get(table) ?? NOTHING, -1) }))
    .filter(({ grown }) => grown.bytes > 0)
    .map(({ table, grown }) => ({
      table,
      itemsPerEvent: grown.items / events,
      bytesPerEvent: grown.bytes / events,
      months: grown.byteMonths / grown.bytes,
      usd:
        (grown.byteMonths / events / GIGABYTE) *
        MILLION *
        (prices.dynamodbGigabyteMonth.usd + prices.recoveryGigabyteMonth.usd),
    }));
