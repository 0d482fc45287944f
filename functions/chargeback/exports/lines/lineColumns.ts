import type { Line } from '../focus/line.ts';
import type { Sql } from './sql.ts';

/** The most digits of a decimal, and how many of them are fractional: as in the API. */
export const DECIMAL_PRECISION = 38;
export const DECIMAL_SCALE = 12;

const DECIMAL = `DECIMAL(${DECIMAL_PRECISION}, ${DECIMAL_SCALE})`;

/** The amounts of a line that are decimals. Their unit in SQL is 1, and not 1e-12. */
export const decimalAmounts = [
  'consumed',
  'priced',
  'cost',
  'listCost',
  'energy',
  'carbon',
] as const satisfies readonly (keyof Line['amounts'])[];

/** The members of a key, as columns. Instants are epoch milliseconds. */
const KEY = 'chargeStart, chargeEnd, kind, recordId, invocationId, priceUnit, listUnit';

/** The tables of lines, and of their kinds. */
export const CREATE_TABLES: Sql = `
  CREATE OR REPLACE TEMP TABLE kinds (kind INTEGER, shown VARCHAR, terms VARCHAR);
  CREATE OR REPLACE TEMP TABLE lines (chargeStart BIGINT, chargeEnd BIGINT, kind INTEGER, recordId VARCHAR,
    invocationId VARCHAR, priceUnit ${DECIMAL}, listUnit ${DECIMAL},
    ${decimalAmounts.map((name) => `${name} ${DECIMAL}`).join(', ')}, confidence ${DECIMAL}, records BIGINT)`;

/** Lines as they are. */
export const singleLines = (source: Sql): Sql => `
  SELECT ${KEY}, ${decimalAmounts.join(', ')}, confidence, records FROM ${source}`;

/**
 * Merges the lines with equal keys. What a correction takes back and charges again is no line; each other line has a record or
 * an amount.
 */
export const mergedLines = (source: Sql): Sql => `
  SELECT ${KEY}, ${decimalAmounts.map((name) => `sum(${name}) AS ${name}`).join(', ')},
    min(confidence) AS confidence, sum(records)::BIGINT AS records
  FROM ${source}
  GROUP BY ${KEY}
  HAVING ${[...decimalAmounts, 'records'].map((name) => `sum(${name}) <> 0`).join(' OR ')}`;
