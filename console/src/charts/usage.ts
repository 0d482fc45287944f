import type { ExportGrouping, UsageRow, UsageTotals } from '../../../sdk/typescript/src/types.ts';
import { listOf } from '../api/listOf.ts';
import type { Measure } from '../format/amount.ts';
import { wordFor } from '../format/words.ts';
import { familyOf } from './modelFamily.ts';

/** What reports and exports can group by. */
export const DIMENSIONS = listOf<ExportGrouping[number]>()([
  'owner',
  'service',
  'provider',
  'served_model',
  'pathway_category',
  'region',
]);

/** A cost allocation tag, such as `tag:env`. */
export type TagDimension = `tag:${string}`;
/** Versions of a model as one group. The service does not know it: the rows of its models are added here. */
const MODEL_FAMILY = 'model_family';
export type Dimension = (typeof DIMENSIONS)[number] | TagDimension | typeof MODEL_FAMILY;

/** The dimensions as the service knows them. */
export const servedDimensions = (
  dimensions: readonly Dimension[],
): readonly Exclude<Dimension, typeof MODEL_FAMILY>[] => [
  ...new Set(dimensions.map((dimension) => (dimension === MODEL_FAMILY ? 'served_model' : dimension))),
];

export const isTagDimension = (dimension: string): dimension is TagDimension => dimension.startsWith('tag:');
export const keyOfTag = (dimension: TagDimension): string => dimension.slice('tag:'.length);

export const dimensionOf = (text: string): Dimension | undefined => {
  if (text === MODEL_FAMILY) return MODEL_FAMILY;
  if (isTagDimension(text) && keyOfTag(text) !== '') return text;
  return DIMENSIONS.find((dimension) => dimension === text);
};

export const nameOfDimension = (dimension: Dimension): string =>
  isTagDimension(dimension) ? `Tag ${keyOfTag(dimension)}` : wordFor(dimension);

/** The text for a value of a dimension, also for calls without one. */
export const nameOfValue = (dimension: Dimension, value: string | null): string => {
  if (value !== null) return dimension === 'pathway_category' ? wordFor(value) : value;
  if (dimension === 'owner') return 'nobody';
  return `no ${nameOfDimension(dimension).toLowerCase()}`;
};

type Amounts = Pick<
  UsageTotals,
  | 'cost_usd'
  | 'cost_usd_low'
  | 'cost_usd_high'
  | 'energy_wh'
  | 'energy_wh_low'
  | 'energy_wh_high'
  | 'carbon_gco2e'
  | 'carbon_gco2e_low'
  | 'carbon_gco2e_high'
  | 'unpriced_invocations'
  | 'unknown_energy_invocations'
  | 'unknown_carbon_invocations'
>;

/** An amount with the range it lies in, and the calls that are in none of the three. */
export interface Estimate {
  readonly central: string | null;
  readonly low: string | null;
  readonly high: string | null;
  readonly unknown: number;
}

/** The amount of a measure. */
export const centralOf = (
  row: Pick<UsageTotals, 'cost_usd' | 'energy_wh' | 'carbon_gco2e'>,
  measure: Measure,
): string | null =>
  measure === 'cost' ? row.cost_usd : measure === 'energy' ? row.energy_wh : row.carbon_gco2e;

export const estimateOf = (row: Amounts, measure: Measure): Estimate => {
  if (measure === 'cost')
    return {
      central: row.cost_usd,
      low: row.cost_usd_low,
      high: row.cost_usd_high,
      unknown: row.unpriced_invocations,
    };
  if (measure === 'energy')
    return {
      central: row.energy_wh,
      low: row.energy_wh_low,
      high: row.energy_wh_high,
      unknown: row.unknown_energy_invocations,
    };
  return {
    central: row.carbon_gco2e,
    low: row.carbon_gco2e_low,
    high: row.carbon_gco2e_high,
    unknown: row.unknown_carbon_invocations,
  };
};

export const measureNames: Readonly<Record<Measure, string>> = {
  cost: 'Spend',
  energy: 'Energy',
  carbon: 'Carbon',
};

/** What a row of a report stands for. `nobody` has no owner or service; `folded` and `other` are several groups. */
export interface Group {
  readonly key: string;
  readonly kind: 'named' | 'nobody' | 'folded' | 'other';
  readonly values: readonly (string | null)[];
}

/** The members of a report's row that name its group. */
type GroupRow = Pick<UsageRow, 'kind' | (typeof DIMENSIONS)[number] | 'tags'>;

const memberOf = (row: GroupRow, dimension: Dimension): string | null => {
  if (isTagDimension(dimension)) return row.tags?.[keyOfTag(dimension)] ?? null;
  if (dimension !== MODEL_FAMILY) return row[dimension] ?? null;
  return row.served_model == null ? null : familyOf(row.served_model);
};

export const groupOf = (row: GroupRow, dimensions: readonly Dimension[]): Group => {
  if (row.kind !== 'group') return { key: `:${row.kind}`, kind: row.kind, values: [] };
  const values = dimensions.map((dimension) => memberOf(row, dimension));
  const tellsWho = dimensions.some((dimension) => dimension === 'owner' || dimension === 'service');
  if (tellsWho && values.every((value) => value === null)) return { key: ':nobody', kind: 'nobody', values };
  return { key: JSON.stringify(values), kind: 'named', values };
};
