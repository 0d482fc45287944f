import type { SchemaElement } from 'hyparquet';
import { formatFixedPoint, parseFixedPoint } from '../../../../schemas/fixedPoint.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { ArchiveColumn, ColumnType } from './archiveColumns.ts';

/** Decimals have the API's 12 fractional digits, and 26 integer digits. */
const DECIMAL = { precision: 38, scale: 12, bytes: 16 } as const;

type Encoding = Omit<SchemaElement, 'name' | 'repetition_type'>;
const TEXT: Encoding = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };

interface ValueType {
  readonly element: Encoding;
  readonly encode: (value: unknown) => unknown;
  readonly decode: (value: unknown) => unknown;
}

const expected = (type: ColumnType): never => {
  throw new TypeError(`The archive has a value that is no ${type}.`);
};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : expected('text'));

/** An unsigned big-endian integer. No amount is negative. */
const unsignedOf = (value: unknown): bigint =>
  value instanceof Uint8Array ? BigInt(`0x${Buffer.from(value).toString('hex')}`) : expected('decimal');

const valueTypes: Readonly<Record<ColumnType, ValueType>> = {
  text: { element: TEXT, encode: textOf, decode: textOf },
  // Stored as text: not every reader supports the logical type JSON.
  json: {
    element: TEXT,
    encode: (value) => JSON.stringify(value),
    decode: (value): unknown => JSON.parse(textOf(value)),
  },
  integer: {
    element: { type: 'INT64' },
    encode: (value) => (typeof value === 'number' ? BigInt(value) : expected('integer')),
    decode: Number,
  },
  real: { element: { type: 'DOUBLE' }, encode: Number, decode: Number },
  decimal: {
    element: {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: DECIMAL.bytes,
      converted_type: 'DECIMAL',
      precision: DECIMAL.precision,
      scale: DECIMAL.scale,
    },
    encode: (value) => parseFixedPoint(textOf(value)),
    decode: (value) => formatFixedPoint(unsignedOf(value)),
  },
  timestamp: {
    element: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    },
    encode: (value) => BigInt(Date.parse(textOf(value))),
    decode: (value) => (value instanceof Date ? toIso(value.getTime()) : expected('timestamp')),
  },
};

/** The Parquet schema of these columns. */
export const schemaOf = (columns: readonly ArchiveColumn[]): SchemaElement[] => [
  { name: 'record', num_children: columns.length },
  ...columns.map(
    ({ name, type, nullable }): SchemaElement => ({
      name,
      ...valueTypes[type].element,
      repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
    }),
  ),
];

/**
 * The schema of a file as the reader needs it: decimals stay bytes. The Parquet library would return floating point
 * numbers.
 */
export const withRawDecimals = (schema: readonly SchemaElement[]): SchemaElement[] =>
  schema.map((element) => {
    if (element.converted_type !== 'DECIMAL') return element;
    const { converted_type: _converted, logical_type: _logical, ...raw } = element;
    return raw;
  });

/** A value as the Parquet library writes it. Null when there is none. */
export const toParquetValue = ({ type }: ArchiveColumn, value: unknown): unknown =>
  value === null || value === undefined ? null : valueTypes[type].encode(value);

/** A value from the Parquet library, in the form that it has in a record. */
export const fromParquetValue = ({ type }: ArchiveColumn, value: unknown): unknown =>
  value === null || value === undefined ? null : valueTypes[type].decode(value);
