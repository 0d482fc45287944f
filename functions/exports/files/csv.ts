import { formatFixedPoint } from '../../shared/largestRemainder.ts';
import type { Cell, Row } from '../focus/cells.ts';
import type { ColumnType } from '../focus/columns.ts';
import type { Encoder } from './encoder.ts';

/** A column of a CSV file. */
export interface CsvColumn {
  readonly header: string;
  readonly type: ColumnType;
  /** Formats a cell. Default: by type. */
  readonly format?: (cell: Cell) => string;
}

/** Text that a spreadsheet runs as a formula (OWASP, CSV injection), also behind apostrophes. */
const FORMULA_PREFIX = /^'*[=+\-@\t\r]/;

/**
 * Prefixes text that looks like a formula with an apostrophe. Text that looks like a formula behind apostrophes gets one too, so
 * that removing one apostrophe always restores the original.
 */
export const neutralizeFormula = (text: string): string => (FORMULA_PREFIX.test(text) ? `'${text}` : text);

/**
 * Characters that RFC 4180 requires to be quoted, plus `;` and tab. Some locales separate cells by them, and a formula could
 * start after one.
 */
const NEEDS_QUOTES = /[",;\t\r\n]/;

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Formats a fixed-point number (1e-12), always with a decimal point: readers that infer types read `1200` as an integer. */
export const decimalText = (fixedPoint: bigint): string => {
  const text = fixedPoint < 0n ? `-${formatFixedPoint(-fixedPoint)}` : formatFixedPoint(fixedPoint);
  return text.includes('.') ? text : `${text}.0`;
};

/** Formats an instant (epoch milliseconds) as FOCUS requires: UTC with whole seconds. */
export const instantText = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** Formats a cell by its type; null becomes empty text. JSON starts with a brace, so it needs no formula protection. */
export const cellText = (cell: Cell, type: ColumnType): string => {
  if (cell === null) return '';
  if (typeof cell === 'bigint') return decimalText(cell);
  if (typeof cell === 'number') return instantText(cell);
  return type === 'String' ? neutralizeFormula(cell) : cell;
};

/** CSV encoder (RFC 4180): UTF-8 without a byte order mark, LF line ends, always with a header. */
export const csvEncoder = (columns: readonly CsvColumn[]): Encoder => {
  const encoder = new TextEncoder();
  const formatters = columns.map((column) => column.format ?? ((cell: Cell) => cellText(cell, column.type)));
  const lineOf = (row: Row): string =>
    `${formatters.map((format, index) => quoted(format(row[index] ?? null))).join(',')}\n`;
  return {
    head: () => encoder.encode(`${columns.map(({ header }) => quoted(header)).join(',')}\n`),
    rows: (rows) => encoder.encode(rows.map(lineOf).join('')),
    tail: () => new Uint8Array(),
  };
};
