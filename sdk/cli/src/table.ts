import { csvLine, type Value } from '../../shared/csv.ts';
import { safeText, shortAmount } from './text.ts';

/** The ends of an amount. A table shows one of them if they are equal. */
interface Range {
  readonly low: Value;
  readonly high: Value;
}

interface Titled<Row> {
  readonly title: string;
  /** Decimals and counts are aligned to the right, and decimals are rounded in tables. */
  readonly isAmount?: boolean;
  /** What a table shows for null. Default: unknown, which is never zero or empty. */
  readonly absent?: string;
  /** What a table shows behind the value. */
  readonly remark?: (row: Row) => string;
}

/** One value, or a range, which has a column for each end in CSV. Null: unknown. */
export type Column<Row> = Titled<Row> &
  (
    | { readonly value: (row: Row) => Value; readonly range?: never }
    | { readonly range: (row: Row) => Range | null; readonly value?: never }
  );

const GAP = '  ';

const lengthOf = (text: string): number => [...text].length;

const valuesOf = <Row>(column: Column<Row>, row: Row): readonly Value[] => {
  if (column.range === undefined) return [column.value(row)];
  const { low, high } = column.range(row) ?? {};
  return [low, high];
};

const cellOf = <Row>(column: Column<Row>, row: Row): string => {
  const { isAmount, absent = 'unknown', remark } = column;
  const texts = valuesOf(column, row).map((value) => {
    if (value === null || value === undefined) return undefined;
    const text = safeText(String(value));
    return isAmount ? shortAmount(text) : text;
  });
  if (texts.includes(undefined)) return absent;
  return `${[...new Set(texts)].join(' to ')}${remark?.(row) ?? ''}`;
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
  csvLine(
    columns.flatMap(({ title, range }) => {
      const name = title.toLowerCase().replaceAll(' ', '_');
      return range === undefined ? [name] : [`${name}_low`, `${name}_high`];
    }),
  );

/** A row as CSV, with all digits. An unknown value is empty. */
export const csvRow = <Row>(columns: readonly Column<Row>[], row: Row): string =>
  csvLine(columns.flatMap((column) => valuesOf(column, row)));

/** Lines of names and values, one pair a line. */
export const pairsOf = (pairs: readonly (readonly [name: string, value: string])[]): string[] => {
  const width = Math.max(...pairs.map(([name]) => lengthOf(name)));
  return pairs.map(([name, value]) => `${name.padEnd(width)}${GAP}${value}`);
};
