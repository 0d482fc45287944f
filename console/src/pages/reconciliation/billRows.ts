import type { BillRow } from '../../../../sdk/typescript/src/types.ts';

/** The columns of a FOCUS file that an import uses. All others are left out. */
const COLUMNS: readonly (keyof BillRow)[] = [
  'BilledCost',
  'BillingCurrency',
  'ServiceProviderName',
  'ProviderName',
  'ChargePeriodStart',
  'ChargePeriodEnd',
  'ChargeCategory',
  'ChargeClass',
  'BillingPeriodStart',
  'x_Model',
  'x_ServedModelId',
  'SkuId',
  'ResourceId',
  'ConsumedQuantity',
  'ConsumedUnit',
  'SkuMeter',
  'SkuPriceId',
  'SubAccountId',
  'BillingAccountId',
  'RegionId',
  'PricingCategory',
  'x_RowId',
];

/** The fields of CSV text (RFC 4180), row by row. */
export const parseCsv = (text: string): string[][] => {
  const rows: string[][] = [];
  let row: string[] = [];
  const pattern = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/g;
  for (const [, field = '', end] of text.matchAll(pattern)) {
    row.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end === ',') continue;
    if (row.some((value) => value !== '')) rows.push(row);
    row = [];
  }
  return rows;
};

/** The rows of a FOCUS file in CSV. Empty cells are left out. The service validates the rest. */
export const billRowsOf = (text: string): BillRow[] => {
  const [header = [], ...rows] = parseCsv(text.replace(/^\uFEFF/, ''));
  return rows.map(
    (cells) =>
      Object.fromEntries(
        COLUMNS.flatMap((column) => {
          const value = cells[header.indexOf(column)];
          return value === undefined || value === '' ? [] : [[column, value]];
        }),
      ) as BillRow,
  );
};
