import { formatFixedPoint } from '../../shared/largestRemainder.ts';
import type { Cell, Row } from '../focus/cells.ts';
import type { ColumnType } from '../focus/columns.ts';
import type { Encoder } from './encoder.ts';

/** A column as a file calls it. */
export interface CsvColumn {
  readonly header: string;
  readonly type: ColumnType;
  /** Spells a cell in place of what its type does. Default: by type. */
  readonly format?: (cell: Cell) => string;
}

/** What a spreadsheet takes for a formula: OWASP, CSV injection. An apostrophe in front is ours to tell apart. */
const FORMULA_PREFIX = /^'*[=+\-@\t\r]/;

/**
 * Text that no spreadsheet runs: an apostrophe goes in front of what looks like a formula, and of what looks like one
 * behind apostrophes, so that taking one off always gives the text back.
 */
export const neutralizeFormula = (text: string): string => (FORMULA_PREFIX.test(text) ? `'${text}` : text);

/** Beside what RFC 4180 asks, the signs that part cells where a comma is a decimal point: behind them a formula could begin. */
const NEEDS_QUOTES = /[",;\t\r\n]/;

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A decimal in picos, always with a decimal point: readers that guess types take `1200` for an integer. */
export const decimalText = (pico: bigint): string => {
  const text = pico < 0n ? `-${formatFixedPoint(-pico)}` : formatFixedPoint(pico);
  return text.includes('.') ? text : `${text}.0`;
};

/** An instant as FOCUS has it: whole seconds of UTC. */
export const instantText = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** A cell as its type is spelled; an empty text where there is none. JSON begins with a brace, which nothing runs. */
export const cellText = (cell: Cell, type: ColumnType): string => {
  if (cell === null) return '';
  if (typeof cell === 'bigint') return decimalText(cell);
  if (typeof cell === 'number') return instantText(cell);
  return type === 'String' ? neutralizeFormula(cell) : cell;
};

/** CSV by RFC 4180 in UTF-8 without a byte order mark, its lines ended by LF; the header is always there. */
export const csvEncoder = (columns: readonly CsvColumn[]): Encoder => {
  const encoder = new TextEncoder();
  const spell = columns.map((column) => column.format ?? ((cell: Cell) => cellText(cell, column.type)));
  const lineOf = (row: Row): string =>
    `${spell.map((textOf, index) => quoted(textOf(row[index] ?? null))).join(',')}\n`;
  return {
    head: () => encoder.encode(`${columns.map(({ header }) => quoted(header)).join(',')}\n`),
    rows: (rows) => encoder.encode(rows.map(lineOf).join('')),
    tail: () => new Uint8Array(),
  };
};
