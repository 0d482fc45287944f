import { BIGINT, DECIMAL, DuckDBDataChunk, DuckDBDecimalValue, INTEGER, VARCHAR } from '@duckdb/node-api';
import { parseFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { Line } from '../focus/line.ts';
import type { Database } from './database.ts';
import { kindOf } from './kinds.ts';
import { CREATE_TABLES, DECIMAL_PRECISION, DECIMAL_SCALE, decimalAmounts } from './lineColumns.ts';

const decimalType = DECIMAL(DECIMAL_PRECISION, DECIMAL_SCALE);
const types = [
  ...[BIGINT, BIGINT, INTEGER, VARCHAR, VARCHAR, decimalType, decimalType],
  ...[...decimalAmounts.map(() => decimalType), decimalType, BIGINT],
];

const decimalOf = (units: bigint): DuckDBDecimalValue =>
  new DuckDBDecimalValue(units, DECIMAL_PRECISION, DECIMAL_SCALE);

/** Lines that are added at a time. */
const CHUNK_LINES = 2_048;

/** The lines of a step, in a table of a database. */
export interface LineTable {
  readonly add: (line: Line) => void;
  /** Completes the table. */
  readonly end: () => void;
}

/** Creates the tables `lines` and `kinds`. */
export const createLineTable = async ({ connection, run }: Database): Promise<LineTable> => {
  await run(CREATE_TABLES);
  const appender = await connection.createAppender('lines');
  const kinds = await connection.createAppender('kinds');
  const numbers = new Map<string, number>();
  let rows: (bigint | number | string | null | DuckDBDecimalValue)[][] = [];
  const flush = (): void => {
    if (rows.length === 0) return;
    const chunk = DuckDBDataChunk.create(types, rows.length);
    chunk.setRows(rows);
    appender.appendDataChunk(chunk);
    rows = [];
  };
  const numberOf = (shown: string, terms: string): number => {
    const kind = `${shown}${terms}`;
    const known = numbers.get(kind);
    if (known !== undefined) return known;
    kinds.appendInteger(numbers.size);
    kinds.appendVarchar(shown);
    kinds.appendVarchar(terms);
    kinds.endRow();
    numbers.set(kind, numbers.size);
    return numbers.size - 1;
  };
  return {
    add: ({ key, amounts }) => {
      rows.push([
        BigInt(key.start),
        BigInt(key.end),
        numberOf(...kindOf(key)),
        key.recordId,
        key.invocationId?.toWellFormed() ?? null,
        decimalOf(parseFixedPoint(key.price.unit)),
        key.price.listUnit === null ? null : decimalOf(parseFixedPoint(key.price.listUnit)),
        ...decimalAmounts.map((name) => decimalOf(amounts[name])),
        decimalOf(parseFixedPoint(amounts.confidence.toFixed(DECIMAL_SCALE))),
        BigInt(amounts.records),
      ]);
      if (rows.length === CHUNK_LINES) flush();
    },
    end: () => {
      flush();
      appender.closeSync();
      kinds.closeSync();
    },
  };
};
