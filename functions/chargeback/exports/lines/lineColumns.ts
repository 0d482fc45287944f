import type { Line, LineKey } from '../focus/line.ts';
import type { Sql } from './sql.ts';

/** The members of a key, in the order in which rows are sorted, with the types that they have in SQL. */
const MEMBERS = {
  charge_start: 'BIGINT',
  charge_end: 'BIGINT',
  rollup: 'VARCHAR',
  service: 'VARCHAR',
  owner: 'VARCHAR',
  service_state: 'VARCHAR',
  owner_state: 'VARCHAR',
  provider: 'VARCHAR',
  model: 'VARCHAR',
  served_model: 'VARCHAR',
  pathway: 'VARCHAR',
  region: 'VARCHAR',
  requested_model: 'VARCHAR',
  record_id: 'VARCHAR',
  invocation_id: 'VARCHAR',
  meter: 'VARCHAR',
  price_per: 'VARCHAR',
  price_unit: 'VARCHAR',
  price_list: 'VARCHAR',
  price_terms: 'VARCHAR',
  consumed_unit: 'VARCHAR',
  energy_method: 'VARCHAR',
  carbon_method: 'VARCHAR',
} as const;

const membersOf = ({ price, ...key }: LineKey): Record<keyof typeof MEMBERS, string | number | null> => ({
  charge_start: key.start,
  charge_end: key.end,
  rollup: key.rollup,
  service: key.service,
  owner: key.owner,
  service_state: key.serviceState,
  owner_state: key.ownerState,
  provider: key.provider,
  model: key.model,
  served_model: key.servedModel,
  pathway: key.pathway,
  region: key.region,
  requested_model: key.requestedModel,
  record_id: key.recordId,
  invocation_id: key.invocationId,
  meter: price.meter,
  price_per: price.per,
  price_unit: price.unit,
  price_list: price.list,
  price_terms: price.terms,
  consumed_unit: key.consumed,
  energy_method: key.energyMethod,
  carbon_method: key.carbonMethod,
});

const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;

/**
 * The text of a key: equal for equal keys, and sorted by charge period first. UTF-8 has no code for half a surrogate pair,
 * which JSON escapes.
 */
export const keyText = (key: LineKey): string => {
  const members = membersOf(key);
  const text = JSON.stringify(members);
  return text.includes('\\ud') ? JSON.stringify(members, wellFormed) : text;
};

/** The members of the column `key`, each as a column. */
export const keyColumns: Sql = `unnest(from_json(key, '${JSON.stringify(MEMBERS)}'))`;

/** The most digits of a decimal, and how many of them are fractional: as in the API. */
export const DECIMAL_PRECISION = 38;
export const DECIMAL_SCALE = 12;

const DECIMAL = `DECIMAL(${DECIMAL_PRECISION}, ${DECIMAL_SCALE})`;

/** The amounts of a line that are decimals. Their unit in SQL is 1, and not 1e-12. */
export const decimalAmounts = [
  'consumed',
  'priced',
  'cost',
  'energy',
  'carbon',
] as const satisfies readonly (keyof Line['amounts'])[];

/** The table of lines, with the start of the charge period beside the key, which readers select by. */
export const CREATE_LINES: Sql = `
  CREATE OR REPLACE TEMP TABLE lines (charge_start BIGINT, key VARCHAR,
    ${decimalAmounts.map((name) => `${name} ${DECIMAL}`).join(', ')}, confidence ${DECIMAL}, records BIGINT)`;

/** Merges the lines with equal keys, in the order of their keys. */
export const mergedLines = (source: Sql): Sql => `
  SELECT key, ${decimalAmounts.map((name) => `sum(${name}) AS ${name}`).join(', ')},
    min(confidence) AS confidence, sum(records) AS records
  FROM ${source}
  GROUP BY key
  ORDER BY key`;
