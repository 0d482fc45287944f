import type { CostMode, FocusVersion } from '../../../schemas/focus.ts';
import { sha256Of } from '../../shared/hash.ts';
import { monthsBetween, startOfMonth, startOfNextMonth } from '../../shared/month.ts';
import type { Column } from '../focus/columns.ts';
import { instantText } from './csv.ts';
import { DECIMAL_PRECISION, DECIMAL_SCALE } from './parquet.ts';

export const GENERATOR = 'inference-attribution';

/** Version of what the files mean: name it anew with every change of a column, a type or a meaning. */
export const GENERATOR_VERSION = '1.0.0';
/** When that version came to be. */
const SINCE = '2026-11-21T00:00:00Z';

/** The longest text of ours: a description names a model and a service, of 256 characters each at most. */
const STRING_MAX_LENGTH = 1_024;

/** A GUID that names its content: UUID version 8 (RFC 9562). */
const guidOf = (...parts: readonly string[]): string => {
  const digits = sha256Of(...parts).toString('hex');
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    variant + digits.slice(17, 20),
    digits.slice(20, 32),
  ].join('-');
};

const definitionOf = ({ name, type }: Column) => ({
  ColumnName: name,
  DataType: type,
  ...(type === 'Decimal' && { NumericPrecision: DECIMAL_PRECISION, NumberScale: DECIMAL_SCALE }),
  ...(type === 'String' && { StringMaxLength: STRING_MAX_LENGTH, StringEncoding: 'UTF-8' }),
  ...(name === 'Tags' && { ProviderTagPrefixes: [] }),
});

/** Names the structure of a file: another column, type or version is another schema. */
export const schemaIdOf = (version: FocusVersion, columns: readonly Column[]): string =>
  guidOf('focus schema', GENERATOR_VERSION, version, JSON.stringify(columns.map(definitionOf)));

export interface DatasetInstance {
  readonly tenantId: string;
  readonly mode: CostMode;
  /** The residency lane it shows; null: all. */
  readonly lane: string | null;
}

/** Names what is exported over and over: exports of one tenant, mode and lane take each other's place. */
export const datasetInstanceIdOf = ({ tenantId, mode, lane }: DatasetInstance): string =>
  guidOf('focus dataset instance', tenantId, mode, ...(lane === null ? [] : [lane]));

export interface MetadataInput extends DatasetInstance {
  readonly version: FocusVersion;
  readonly columns: readonly Column[];
  /** Epoch milliseconds, `to` excluded. */
  readonly period: { readonly from: number; readonly to: number };
  /** Instant of the ledger that is shown, and when the files were finished; epoch milliseconds. */
  readonly asOf: number;
  readonly finishedAt: number;
}

/**
 * The FOCUS metadata of an export: who made it, how fresh it is and one definition for each column that is delivered.
 * A sector of time is a billing month as far as the period covers it, and complete once it lay behind when the ledger was
 * read; calls that are told of later come with the next export.
 */
export const buildMetadata = (described: MetadataInput) => {
  const { mode, version, columns, asOf, finishedAt } = described;
  const { from, to } = described.period;
  const instance = datasetInstanceIdOf(described);
  return {
    DataGenerator: { DataGenerator: GENERATOR },
    DatasetInstance: [
      {
        DatasetInstanceId: instance,
        DatasetInstanceName: `AI inference ${mode}`,
        FocusDatasetId: 'CostAndUsage',
      },
    ],
    Recency: [
      {
        DatasetInstanceId: instance,
        RecencyLastUpdated: instantText(finishedAt),
        DatasetInstanceLastUpdated: instantText(asOf),
        TimeSectors: monthsBetween(from, to - 1).map((month) => {
          const end = Math.min(startOfNextMonth(month), to);
          return {
            TimeSectorStart: instantText(Math.max(startOfMonth(month), from)),
            TimeSectorEnd: instantText(end),
            TimeSectorComplete: end <= asOf,
            TimeSectorLastUpdated: instantText(asOf),
          };
        }),
      },
    ],
    Schema: [
      {
        SchemaId: schemaIdOf(version, columns),
        DatasetInstanceId: instance,
        FocusVersion: version,
        CreationDate: SINCE,
        DataGeneratorVersion: GENERATOR_VERSION,
        ColumnDefinition: columns.map(definitionOf),
      },
    ],
  };
};
