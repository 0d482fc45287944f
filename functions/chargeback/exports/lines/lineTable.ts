import { BIGINT, DECIMAL, DuckDBDataChunk, DuckDBDecimalValue, VARCHAR } from '@duckdb/node-api';
import { parseFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { Line } from '../focus/line.ts';
import type { Database } from './database.ts';
import { CREATE_LINES, DECIMAL_PRECISION, DECIMAL_SCALE, decimalAmounts, keyText } from './lineColumns.ts';

const decimalType = DECIMAL(DECIMAL_PRECISION, DECIMAL_SCALE);
const types = [BIGINT, VARCHAR, ...decimalAmounts.map(() => decimalType), decimalType, BIGINT];

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

/** Creates the table `lines`. */
export const createLineTable = async ({ connection, run }: Database): Promise<LineTable> => {
  await run(CREATE_LINES);
  const appender = await connection.createAppender('lines');
  let rows: (bigint | string | DuckDBDecimalValue)[][] = [];
  const flush = (): void => {
    if (rows.length === 0) return;
    const chunk = DuckDBDataChunk.create(types, rows.length);
    chunk.setRows(rows);
    appender.appendDataChunk(chunk);
    rows = [];
  };
  return {
    add: ({ key, amounts }) => {
      rows.push([
        BigInt(key.start),
        keyText(key),
        ...decimalAmounts.map((name) => decimalOf(amounts[name])),
        decimalOf(parseFixedPoint(amounts.confidence.toFixed(DECIMAL_SCALE))),
        BigInt(amounts.records),
      ]);
      if (rows.length === CHUNK_LINES) flush();
    },
    end: () => {
      flush();
      appender.closeSync();
    },
  };
};
