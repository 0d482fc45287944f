import type { BillRow } from '../../../../sdk/typescript/src/types.ts';

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

const DECIMAL_COMMA = /^[+-]?(?:\d+|\d{1,3}(?:[. ]\d{3})+),\d+$/;
/** One that no spreadsheet shows for a whole number: `1,234` can be one, and `1,25`, `0,123` and `1.234,567` cannot. */
const CERTAINLY_DECIMAL = /^[+-]?(?:0,\d+|\d+,(?!\d{3}$)\d+|\d{4,},\d+|\d{1,3}(?:[. ]\d{3})+,\d+)$/;
/** A whole number in the same column, with its thousands apart. */
const GROUPED = /^[+-]?\d{1,3}(?:[. ]\d{3})+$/;
const WHOLE = /^[+-]?\d+$/;

/** An amount of a column with decimal commas, in the form of FOCUS. */
const pointed = (amount: string): string =>
  DECIMAL_COMMA.test(amount) || GROUPED.test(amount)
    ? amount.replaceAll(/[. ]/g, '').replace(',', '.')
    : amount;

const isAmount = (cell: string): boolean => [DECIMAL_COMMA, GROUPED, WHOLE].some((form) => form.test(cell));
/** Whether a column has amounts with decimal commas: one can be nothing else, and most can be one. A single cell can be wrong. */
const hasCommas = (cells: readonly string[]): boolean =>
  cells.some((cell) => CERTAINLY_DECIMAL.test(cell)) && cells.filter(isAmount).length * 2 > cells.length;

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The cell of a column of FOCUS, in any spelling of its name. */
export const cellOf = (row: BillRow, column: keyof BillRow): string =>
  String(
    row[column] ?? Object.entries(row).find(([name]) => lettersOf(name) === lettersOf(column))?.[1] ?? '',
  );

/**
 * The rows of a file in CSV, under the columns of its header. Empty cells are left out. The service finds the columns and
 * validates the rest: it refuses `1,234` in a column in which every amount can be a whole number.
 */
export const billRowsOf = (text: string): BillRow[] => {
  const [header = [], ...rows] = parseCsv(text);
  const isSemicolons = separatorOf(text) !== ',';
  const columns = header.map((name, index) => {
    const cells = isSemicolons ? rows.flatMap((row) => row[index] || []) : [];
    return { name, index, read: hasCommas(cells) ? pointed : (cell: string) => cell };
  });
  return rows.map(
    (cells) =>
      Object.fromEntries(
        columns.flatMap(({ name, index, read }) => {
          const value = cells[index];
          return value === undefined || value === '' ? [] : [[name, read(value)]];
        }),
      ) as BillRow,
  );
};
