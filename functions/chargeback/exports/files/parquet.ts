import type { Column, ColumnType } from '../focus/columns.ts';
import { DECIMAL_PRECISION, DECIMAL_SCALE } from '../lines/lineColumns.ts';
import { literal, type Sql } from '../lines/sql.ts';

/** Decimals have the API's 12 fractional digits and 26 integer digits, enough for the sum of any ledger. */
const typed: Readonly<Record<ColumnType, (cell: Sql) => Sql>> = {
  String: (cell) => `(${cell})::VARCHAR`,
  // Stored as text: not every reader supports the logical type JSON, and FOCUS defines JSON as text.
  JSON: (cell) => `(${cell})::VARCHAR`,
  Decimal: (cell) => `(${cell})::DECIMAL(${DECIMAL_PRECISION}, ${DECIMAL_SCALE})`,
  'Date/Time': (cell) => `make_timestamptz((${cell})::BIGINT * 1000)`,
};

/** The cells of a row in the FOCUS types. Text is not escaped, since Parquet readers do not run formulas. */
export const parquetRow = (columns: readonly Column[], cells: readonly Sql[]): Sql =>
  columns.map(({ name, type }, index) => `${typed[type](cells[index] ?? 'NULL')} AS "${name}"`).join(', ');

/** Writes the rows of a query as a Parquet file. */
export const copyParquet = (rows: Sql, path: string): Sql => `
  COPY (${rows}) TO ${literal(path)} (FORMAT parquet, COMPRESSION snappy)`;
