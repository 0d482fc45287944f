import type { CsvConsumer } from '../../../../schemas/chargeback/focus.ts';
import { formatFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { Cell, Row } from '../focus/cells.ts';
import type { ColumnType } from '../focus/columns.ts';
import type { Encoder } from './encoder.ts';

/** A column of a CSV file. */
export interface CsvColumn {
  readonly header: string;
  readonly type: ColumnType;
  /** Formats a cell. Default: {@link cellText}. */
  readonly format?: (cell: Cell) => string;
}

/**
 * Characters that make a spreadsheet read a cell as a formula (OWASP, CSV injection): `=`, `+`, `-`, `@`, tab, carriage
 * return, line feed, NUL (OWASP ASVS 1.2.10), and every character that Unicode compatibility (NFKC) maps to one of the
 * first four. A spreadsheet with a Japanese locale reads the full-width forms as formulas. U+2212 is the minus sign.
 */
const FORMULA_START = '=+\\-@\\t\\r\\n\\0＝＋－＠﹦﹢﹣﹫⁼₌⁺₊⁻₋﬩\\u2212';

/** Characters that an importer may strip before it looks at the first one: spaces, invisible characters and quotes. */
const IGNORED_BEFORE = `\\s\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}"'`;

/** The formula characters of a cell, with what may precede them. */
const FORMULA = `[${IGNORED_BEFORE}]*[${FORMULA_START}]`;

/**
 * Where a cell can start: at the start of the text, or behind a character that a locale or an import dialog separates by.
 */
const CELL_START = '(?<=^|[,;|\\t\\r\\n])';

const FORMULA_POSITION = new RegExp(`${CELL_START}(?=${FORMULA})`, 'gu');

/**
 * Inserts an apostrophe wherever the text could start a formula. Text that already has apostrophes there gets one more, so
 * that removing one at each such position always restores the original.
 */
export const neutralizeFormula = (text: string): string => text.replace(FORMULA_POSITION, "'");

/** A semicolon is never part of the syntax of JSON, so what follows it is inside a string. */
const JSON_FORMULA = new RegExp(`(?<=[;|][${IGNORED_BEFORE.replace('"', '')}]*)[${FORMULA_START}]`, 'gu');

/** Escapes formula characters behind a semicolon in JSON text. The parsed value is the same. */
const neutralizeJson = (json: string): string =>
  json.replace(JSON_FORMULA, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Characters that RFC 4180 requires to be quoted, plus other characters that some locales and import dialogs separate by.
 */
const NEEDS_QUOTES = /[",;|\t\r\n]/;

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Formats a fixed-point number (1e-12), always with a decimal point: readers that infer types read `1200` as an integer. */
export const decimalText = (fixedPoint: bigint): string => {
  const text = formatFixedPoint(fixedPoint);
  return text.includes('.') ? text : `${text}.0`;
};

/** Formats an instant (epoch milliseconds) as FOCUS requires: UTC with whole seconds. */
export const instantText = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** The text of a cell; null becomes empty text. */
export const cellText = (cell: Cell): string => {
  if (cell === null) return '';
  if (typeof cell === 'bigint') return decimalText(cell);
  return typeof cell === 'number' ? instantText(cell) : cell;
};

/** The text that each consumer of a file reads in a column of a type. Numbers and times are never changed. */
const textFor: Readonly<Record<CsvConsumer, (text: string, type: ColumnType) => string>> = {
  program: (text) => text,
  spreadsheet: (text, type) => {
    if (type === 'JSON') return neutralizeJson(text);
    return type === 'String' ? neutralizeFormula(text) : text;
  },
};

/** CSV encoder (RFC 4180): UTF-8 without a byte order mark, LF line ends, always with a header. */
export const csvEncoder = (columns: readonly CsvColumn[], consumer: CsvConsumer): Encoder => {
  const encoder = new TextEncoder();
  const formatters = columns.map(
    ({ format = cellText, type }) =>
      (cell: Cell) =>
        textFor[consumer](format(cell), type),
  );
  const lineOf = (row: Row): string =>
    `${formatters.map((format, index) => quoted(format(row[index] ?? null))).join(',')}\n`;
  return {
    head: () => encoder.encode(`${columns.map(({ header }) => quoted(header)).join(',')}\n`),
    rows: (rows) => encoder.encode(rows.map(lineOf).join('')),
    tail: () => new Uint8Array(),
  };
};
