import { csvLine, type Value } from '../../shared/csv.ts';
import { safeText, shortAmount } from './text.ts';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => Value;
  /** Decimals and counts are aligned to the right, and decimals are rounded in tables. */
  readonly isAmount?: boolean;
  /** What a table shows for null. Default: unknown, which is never zero or empty. */
  readonly absent?: string;
  /** What a table shows behind the value. */
  readonly remark?: (row: Row) => string;
}

const GAP = '  ';

const lengthOf = (text: string): number => [...text].length;

const cellOf = <Row>({ value, isAmount, absent = 'unknown', remark }: Column<Row>, row: Row): string => {
  const found = value(row);
  if (found === null || found === undefined) return absent;
  const text = safeText(String(found));
  return `${isAmount ? shortAmount(text) : text}${remark?.(row) ?? ''}`;
};

/** Lines of a table: a title line, and one line for each row. Nothing in them can control a terminal. */
export const tableOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] => {
  const lines = [
    columns.map(({ title }) => safeText(title)),
    ...rows.map((row) => columns.map((column) => cellOf(column, row))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => lengthOf(cells[index] ?? ''))));
  return lines.map((cells) =>
    cells
      .map((cell, index) => {
        const padding = ' '.repeat((widths[index] ?? 0) - lengthOf(cell));
        return columns[index]?.isAmount ? padding + cell : cell + padding;
      })
      .join(GAP)
      .trimEnd(),
  );
};

/** The names of the columns as CSV (RFC 4180). */
export const csvTitles = <Row>(columns: readonly Column<Row>[]): string =>
  csvLine(columns.map(({ title }) => title.toLowerCase().replaceAll(' ', '_')));

/** A row as CSV, with all digits. An unknown value is empty. */
export const csvRow = <Row>(columns: readonly Column<Row>[], row: Row): string =>
  csvLine(columns.map(({ value }) => value(row)));

/** Lines of names and values, one pair a line. */
export const pairsOf = (pairs: readonly (readonly [name: string, value: string])[]): string[] => {
  const width = Math.max(...pairs.map(([name]) => lengthOf(name)));
  return pairs.map(([name, value]) => `${name.padEnd(width)}${GAP}${value}`);
};
