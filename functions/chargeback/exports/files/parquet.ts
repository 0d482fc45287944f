import { type Cell, EMPTY } from '../focus/cells.ts';
import type { Column, ColumnType } from '../focus/columns.ts';
import { DECIMAL_PRECISION, DECIMAL_SCALE } from '../lines/lineColumns.ts';
import { literal, type Sql } from '../lines/sql.ts';
import type { Row } from './csv.ts';

/** Decimals have the API's 12 fractional digits and 26 integer digits, enough for the sum of any ledger. */
const typed: Readonly<Record<ColumnType, (cell: Sql) => Sql>> = {
  String: (cell) => `(${cell})::VARCHAR`,
  // Stored as text: not every reader supports the logical type JSON, and FOCUS defines JSON as text.
  JSON: (cell) => `(${cell})::VARCHAR`,
  Decimal: (cell) => `(${cell})::DECIMAL(${DECIMAL_PRECISION}, ${DECIMAL_SCALE})`,
  'Date/Time': (cell) => `make_timestamptz((${cell})::BIGINT * 1000)`,
};

/**
 * The cells of a row in the FOCUS types. Text is not escaped, since Parquet readers do not run formulas. The text of a kind is
 * an enumeration, and so is a constant text: a writer writes its number.
 */
export const parquetRow = (columns: readonly Column[], cells: readonly Cell[]): Row => {
  const texts = [...new Set(cells.flatMap(({ kind, isConstant }) => (isConstant ? [] : [kind])))];
  const cellOf = ({ type }: Column, { kind, isConstant, line }: Cell): Sql => {
    const text = isConstant ? kind : `text${texts.indexOf(kind)}`;
    if (line !== undefined) return typed[type](line(text));
    if (!isConstant) return text;
    return type === 'String' && text !== EMPTY.kind ? `${text}::ENUM(${text})` : typed[type](text);
  };
  const row = columns.map((column, index) => `${cellOf(column, cells[index] ?? EMPTY)} AS "${column.name}"`);
  return { texts, row: row.join(', ') };
};

/** Writes the rows of a query as a Parquet file. */
export const copyParquet = (rows: Sql, path: string): Sql => `
  COPY (${rows}) TO ${literal(path)} (FORMAT parquet, COMPRESSION snappy)`;
