import { type AttributeValue, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { localClient } from '../../test/support/localAws.ts';
import { itemSize } from '../cost/itemSize.ts';
import { prices } from '../cost/prices.ts';
import type { MeasuredService } from '../support/service.ts';
import type { ClosedDay } from './dayClosing.ts';

const GIGABYTE = 1e9;
const MILLION = 1e6;
/** DynamoDB bills this for each item besides its size (developer guide, "Storage"). */
const ITEM_OVERHEAD_BYTES = 100;
/** Share of events that carry a trace id. */
const TRACED_SHARE = 0.4;
const SAMPLE = 1_000;
/** Claims and the rows of spans stay when rows of records are deleted: both lead to the record. */
const CLAIM_MONTHS = 26;
const SPAN_MONTHS = 25;

type Item = Record<string, AttributeValue>;

/** One kind of item that an event leaves behind. */
export interface StorageRow {
  readonly item: string;
  /** Mean size without the overhead. */
  readonly bytes: number;
  readonly perEvent: number;
  /** How long it is stored. Null: as long as records are in their table. */
  readonly months: number | null;
  /** Whether its table has point-in-time recovery. */
  readonly hasBackup: boolean;
}

const isRecord = (item: Item): boolean => item['detail'] !== undefined && item['pk']?.S !== 'bench';
const isMergedBlock = (item: Item): boolean => /#places#\d/.test(item['pk']?.S ?? '');

const meanBytes = (items: readonly Item[]): number =>
  items.length === 0 ? 0 : items.reduce((sum, item) => sum + itemSize(item), 0) / items.length;

/** Sizes of what the events of this instance left in the tables. */
export const storedItems = async ({ runtime }: MeasuredService): Promise<StorageRow[]> => {
  const dynamodb = new DynamoDBClient(localClient(runtime.endpoints.dynamodb));
  const scan = async (output: string, isIncluded: (item: Item) => boolean): Promise<Item[]> => {
    const found: Item[] = [];
    let resume: Item | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await dynamodb.send(
        new ScanCommand({ TableName: runtime.outputs[output], ExclusiveStartKey: resume }),
      );
      found.push(...Items.filter(isIncluded));
      resume = LastEvaluatedKey;
    } while (resume !== undefined && found.length < SAMPLE);
    return found;
  };
  const records = await scan('TableLedger', isRecord);
  const blocks = await scan('TableLedger', isMergedBlock);
  const claims = await scan('TableClaims', () => true);
  const spans = await scan('TableTraces', () => true);
  dynamodb.destroy();
  return [
    { item: 'record', bytes: meanBytes(records), perEvent: 1, months: null, hasBackup: true },
    { item: 'dedup claim', bytes: meanBytes(claims), perEvent: 1, months: CLAIM_MONTHS, hasBackup: true },
    {
      item: 'trace span',
      bytes: meanBytes(spans),
      perEvent: TRACED_SHARE,
      months: SPAN_MONTHS,
      hasBackup: true,
    },
    {
      item: 'places of 1,024',
      bytes: Math.max(16 * 1_024, meanBytes(blocks)),
      perEvent: 1 / 1_024,
      months: 26,
      hasBackup: true,
    },
  ];
};

/**
 * USD per million events over `months`. Items of an event are in tables for at most `tableMonths`. Files are written when
 * the day is closed, and stay until the end.
 */
export const storageUsd = (
  stored: readonly StorageRow[],
  { records, fileBytes }: ClosedDay,
  months: number,
  tableMonths: number,
) => {
  const gigabyteMonths = (row: StorageRow): number =>
    ((row.bytes + ITEM_OVERHEAD_BYTES) *
      row.perEvent *
      MILLION *
      Math.min(months, row.months ?? tableMonths)) /
    GIGABYTE;
  const tables = stored.reduce((sum, row) => sum + gigabyteMonths(row) * prices.dynamodbStorage.usd, 0);
  const backup = stored
    .filter(({ hasBackup }) => hasBackup)
    .reduce((sum, row) => sum + gigabyteMonths(row) * prices.dynamodbBackup.usd, 0);
  const files = ((fileBytes / records) * MILLION * months * prices.s3Storage.usd) / GIGABYTE;
  return { tables, backup, files };
};
