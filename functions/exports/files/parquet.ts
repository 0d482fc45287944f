import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Column, ColumnType } from '../focus/columns.ts';
import type { Encoder } from './encoder.ts';

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
type Element = Schema[number];

/** Decimals have the twelve fractional digits of the contract, and 26 before them: no sum of a ledger overflows. */
export const DECIMAL_PRECISION = 38;
export const DECIMAL_SCALE = 12;
const DECIMAL_BYTES = 16;

const typeOf: Readonly<Record<ColumnType, Omit<Element, 'name' | 'repetition_type'>>> = {
  String: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  // As text: not every reader knows the logical type JSON, and FOCUS has JSON as a text anyway.
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

const LARGEST = 10n ** BigInt(DECIMAL_PRECISION);

const toParquetValue = (cell: unknown): unknown => {
  if (typeof cell === 'bigint' && (cell >= LARGEST || cell <= -LARGEST)) {
    throw new RangeError('a decimal does not fit into 38 digits');
  }
  return typeof cell === 'number' ? BigInt(cell) : cell;
};

/**
 * Parquet with the types of FOCUS; each call of `rows` becomes a row group, so only one is ever in memory. Text is as it
 * was given: nothing runs it here. Throws a RangeError on a decimal of more than 38 digits.
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
  /** What was written since the last time; offsets in the file go on counting. */
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
