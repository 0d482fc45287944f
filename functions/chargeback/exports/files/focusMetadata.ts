import type { CostMode, FocusVersion } from '../../../../schemas/chargeback/focus.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { monthsBetween, startOfMonth, startOfNextMonth } from '../../../platform/shared/time/month.ts';
import type { Column } from '../focus/columns.ts';
import { DECIMAL_PRECISION, DECIMAL_SCALE } from '../lines/lineColumns.ts';

export const GENERATOR = 'inference-attribution';

/** Version of the file contents. Increase it with every change of a column, a type or a meaning. */
export const GENERATOR_VERSION = '1.1.0';
/** Release date of that version. */
const GENERATOR_VERSION_DATE = '2026-11-26T00:00:00Z';

/** Longest text in a file: a charge description, with a model and a service of at most 256 characters each. */
const STRING_MAX_LENGTH = 1_024;

/** An instant (epoch milliseconds) as FOCUS requires: UTC with whole seconds. */
const instantText = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** A content-derived GUID: UUID version 8 (RFC 9562). */
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

/** Id of a file's structure. Changes with any column, type or version. */
export const schemaIdOf = (version: FocusVersion, columns: readonly Column[]): string =>
  guidOf('focus schema', GENERATOR_VERSION, version, JSON.stringify(columns.map(definitionOf)));

export interface DatasetInstance {
  readonly tenantId: string;
  readonly mode: CostMode;
  /** The residency lane of the export; null: all lanes. */
  readonly lane: string | null;
}

/** Id of a recurring dataset. A newer export of the same tenant, mode and lane replaces an older one. */
export const datasetInstanceIdOf = ({ tenantId, mode, lane }: DatasetInstance): string =>
  guidOf('focus dataset instance', tenantId, mode, ...(lane === null ? [] : [lane]));

export interface MetadataInput extends DatasetInstance {
  readonly version: FocusVersion;
  readonly columns: readonly Column[];
  /** Epoch milliseconds, `to` excluded. */
  readonly period: Interval;
  /** Ledger instant of the export, and completion time of its files. Epoch milliseconds. */
  readonly asOf: number;
  /** Whether calls of the period may be missing for longer than promised. */
  readonly isStale: boolean;
  readonly finishedAt: number;
}

/**
 * The FOCUS metadata of an export: generator, recency and one definition for each delivered column. A time sector is the
 * part of a billing month inside the period. It is complete when it ended before the ledger instant and no call is missing
 * for longer than promised. Calls reported later are in the next export.
 */
export const buildMetadata = (input: MetadataInput) => {
  const { mode, version, columns, asOf, isStale, finishedAt } = input;
  const { from, to } = input.period;
  const instance = datasetInstanceIdOf(input);
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
            TimeSectorComplete: end <= asOf && !isStale,
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
        CreationDate: GENERATOR_VERSION_DATE,
        DataGeneratorVersion: GENERATOR_VERSION,
        ColumnDefinition: columns.map(definitionOf),
      },
    ],
  };
};
