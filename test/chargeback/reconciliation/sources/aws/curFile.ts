import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';

/** A row of CUR 2.0, with the columns that the guide selects. */
export interface CurRow {
  readonly bill_billing_entity: string;
  readonly line_item_product_code: string;
  readonly line_item_line_item_type: string;
  readonly line_item_usage_start_date: string;
  readonly line_item_usage_account_id: string | null;
  readonly line_item_usage_type: string | null;
  readonly line_item_usage_amount: number | null;
  readonly line_item_currency_code: string;
  readonly line_item_unblended_cost: number | null;
  readonly pricing_unit: string | null;
  readonly product_region_code: string | null;
  readonly product_name: string | null;
  /** Exports that were created before the guide selected them lack these columns. */
  readonly bill_payer_account_id?: string;
  readonly line_item_line_item_description?: string;
}

/** A charge for input tokens of Claude Sonnet 4.6 in Bedrock, with changes. */
export const aRow = (changes: Partial<CurRow> = {}): CurRow => ({
  bill_billing_entity: 'AWS',
  line_item_product_code: 'AmazonBedrock',
  line_item_line_item_type: 'Usage',
  line_item_usage_start_date: '2026-05-09T00:00:00Z',
  line_item_usage_account_id: '111122223333',
  line_item_usage_type: 'USE1-Claude4.6Sonnet-input-tokens',
  line_item_usage_amount: 1_000,
  line_item_currency_code: 'USD',
  line_item_unblended_cost: 3,
  pricing_unit: '1K tokens',
  product_region_code: 'us-east-1',
  product_name: 'Amazon Bedrock',
  ...changes,
});

const COLUMNS: readonly (keyof CurRow)[] = [
  'bill_billing_entity',
  'line_item_product_code',
  'line_item_line_item_type',
  'line_item_usage_start_date',
  'line_item_usage_account_id',
  'line_item_usage_type',
  'line_item_usage_amount',
  'line_item_currency_code',
  'line_item_unblended_cost',
  'pricing_unit',
  'product_region_code',
  'product_name',
];
const typeOf = (column: string): 'TIMESTAMP' | 'DOUBLE' | 'STRING' => {
  if (column === 'line_item_usage_start_date') return 'TIMESTAMP';
  return /_(?:amount|cost)$/.test(column) ? 'DOUBLE' : 'STRING';
};
const MAP_SCHEMA: SchemaElement[] = [
  { name: 'product', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'MAP' },
  { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
  { name: 'key', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED', converted_type: 'UTF8' },
  { name: 'value', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL', converted_type: 'UTF8' },
];
const elementOf = (name: string): SchemaElement => {
  const base = { name, repetition_type: 'OPTIONAL' } as const;
  const type = typeOf(name);
  if (type === 'DOUBLE') return { ...base, type: 'DOUBLE' };
  if (type === 'TIMESTAMP') return { ...base, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' };
  return { ...base, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
};

export interface CurFileOptions {
  readonly columns?: readonly string[];
  /** `map`: all attributes of the product in one column, as an export without a query has them. */
  readonly product?: 'name' | 'map';
  readonly rowGroupSize?: number;
}

/** A Parquet file as AWS Data Exports delivers it, compressed with Snappy. */
export const curFile = (
  rows: readonly CurRow[],
  { columns = COLUMNS, product = 'name', rowGroupSize = 3 }: CurFileOptions = {},
): Uint8Array => {
  const all = rows.some((row) => row.bill_payer_account_id) ? [...columns, 'bill_payer_account_id'] : columns;
  const names = all.filter((name) => product === 'name' || name !== 'product_name');
  const columnData = names.map((name) => ({
    name,
    data: rows.map((row) => {
      const value = Object(row)[name];
      return typeOf(name) === 'TIMESTAMP' ? new Date(String(value)) : value;
    }),
    ...(product === 'name' && { type: typeOf(name), nullable: true }),
  }));
  if (product === 'name') return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize }));
  const attributes = rows.map(({ product_name }) => ({ product_name, servicecode: 'AmazonBedrock' }));
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [...columnData, { name: 'product', data: attributes }],
      rowGroupSize,
      schema: [{ name: 'root', num_children: names.length + 1 }, ...names.map(elementOf), ...MAP_SCHEMA],
    }),
  );
};
