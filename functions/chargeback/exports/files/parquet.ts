import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Column, ColumnType } from '../focus/columns.ts';
import type { Encoder } from './encoder.ts';

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
type Element = Schema[number];

/** Decimals have the API's 12 fractional digits and 26 integer digits, enough for the sum of any ledger. */
export const DECIMAL_PRECISION = 38;
export const DECIMAL_SCALE = 12;
const DECIMAL_BYTES = 16;

const typeOf: Readonly<Record<ColumnType, Omit<Element, 'name' | 'repetition_type'>>> = {
  String: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  // Stored as text: not every reader supports the logical type JSON, and FOCUS defines JSON as text.
  JSON: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  Decimal: {
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: DECIMAL_BYTES,
    converted_type: 'DECIMAL',
    precision: DECIMAL_PRECISION,
    scale: DECIMAL_SCALE,
  },
  'Date/Time': {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

const DECIMAL_BOUND = 10n ** BigInt(DECIMAL_PRECISION);

const toParquetValue = (cell: unknown): unknown => {
  if (typeof cell === 'bigint' && (cell >= DECIMAL_BOUND || cell <= -DECIMAL_BOUND)) {
    throw new RangeError(`A decimal has more than ${DECIMAL_PRECISION} digits.`);
  }
  return typeof cell === 'number' ? BigInt(cell) : cell;
};

/**
 * Parquet encoder with the FOCUS types. Each call of `rows` writes one row group, so one row group is in memory. Text is not
 * escaped, since Parquet readers do not run formulas. Throws a RangeError on a decimal of more than 38 digits.
 */
export const parquetEncoder = (columns: readonly Column[]): Encoder => {
  const writer = new ByteWriter();
  const schema: Schema = [
    { name: 'focus', num_children: columns.length },
    ...columns.map(
      ({ name, type, nullable }): Element => ({
        name,
        ...typeOf[type],
        repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
      }),
    ),
  ];
  const parquet = new ParquetWriter({ writer, schema, createdBy: 'inference-attribution' });
  /** Returns the bytes written since the last call. File offsets still count from the start of the file. */
  const takeWritten = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  return {
    head: takeWritten,
    rows: (rows) => {
      parquet.write({
        columnData: columns.map(({ name }, index) => ({
          name,
          data: rows.map((row) => toParquetValue(row[index] ?? null)),
        })),
        rowGroupSize: Math.max(rows.length, 1),
      });
      return takeWritten();
    },
    tail: () => {
      parquet.finish();
      return takeWritten();
    },
  };
};
