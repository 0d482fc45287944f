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
  'x_SkuMeterName',
  'x_UsageType',
  'ServiceName',
  'ChargeDescription',
  'SkuPriceId',
  'SubAccountId',
  'BillingAccountId',
  'RegionId',
  'PricingCategory',
  'x_RowId',
];

/** The text of a file. Spreadsheets also write UTF-16, with a byte order mark. */
export const textOf = async (file: Blob): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = bytes.slice(0, 2).join(' ');
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
};

const SEPARATORS = [',', ';', '\t'] as const;

/** The separator of the header. Spreadsheets of countries with a decimal comma write semicolons, or tabs. */
const separatorOf = (text: string): string => {
  const header = (text.split(/\r?\n/, 1)[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const countOf = (separator: string): number => header.split(separator).length;
  return SEPARATORS.reduce<string>((best, one) => (countOf(one) > countOf(best) ? one : best), ',');
};

/** The fields of CSV text (RFC 4180), row by row. */
export const parseCsv = (sent: string): string[][] => {
  const text = sent.replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  const pattern = new RegExp(`("(?:[^"]|"")*"|[^${separator}\\r\\n]*)(${separator}|\\r?\\n|\\r|$)`, 'g');
  for (const [, field = '', end] of text.matchAll(pattern)) {
    row.push(/^".*"$/s.test(field) ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end === separator) continue;
    if (row.some((value) => value !== '')) rows.push(row);
    row = [];
  }
  return rows;
};

const AMOUNTS: ReadonlySet<keyof BillRow> = new Set(['BilledCost', 'ConsumedQuantity']);
const DECIMAL_COMMA = /^[+-]?(?:\d+|\d{1,3}(?:[. ]\d{3})+),\d+$/;
/** One that no spreadsheet shows for a whole number: `1,234` can be one, and `1,25`, `0,123` and `1.234,567` cannot. */
const CERTAINLY_DECIMAL = /^[+-]?(?:0,\d+|\d+,(?!\d{3}$)\d+|\d{4,},\d+|\d{1,3}(?:[. ]\d{3})+,\d+)$/;
/** A whole number in the same column, with or without its thousands apart. */
const GROUPED = /^[+-]?\d{1,3}(?:[. ]\d{3})+$/;

/** An amount of a column with decimal commas, in the form of FOCUS. */
const pointed = (amount: string): string =>
  DECIMAL_COMMA.test(amount) || GROUPED.test(amount)
    ? amount.replaceAll(/[. ]/g, '').replace(',', '.')
    : amount;

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * The rows of a FOCUS file in CSV. Empty cells are left out, and names of columns can be in any spelling. The service
 * validates the rest. A column has decimal commas if one of its amounts can be nothing else; otherwise the service refuses `1,234`.
 */
export const billRowsOf = (text: string): BillRow[] => {
  const [header = [], ...rows] = parseCsv(text);
  const names = header.map(lettersOf);
  const indexOf = (column: string): number =>
    header.includes(column) ? header.indexOf(column) : names.indexOf(lettersOf(column));
  const isSemicolons = separatorOf(text) !== ',';
  const columns = COLUMNS.map((column) => {
    const index = indexOf(column);
    const hasCommas =
      isSemicolons && AMOUNTS.has(column) && rows.some((cells) => CERTAINLY_DECIMAL.test(cells[index] ?? ''));
    return { column, index, read: hasCommas ? pointed : (cell: string) => cell };
  });
  return rows.map(
    (cells) =>
      Object.fromEntries(
        columns.flatMap(({ column, index, read }) => {
          const value = cells[index];
          return value === undefined || value === '' ? [] : [[column, read(value)]];
        }),
      ) as BillRow,
  );
};
