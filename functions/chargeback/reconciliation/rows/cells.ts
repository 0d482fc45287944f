import * as z from 'zod';
import { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { startOf } from '../../../ledger/rollups/grain.ts';
import { restoreFormula } from '../../../platform/shared/formulaGuard.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { canonicalId } from './identifiers.ts';
import { lettersOf, nativeCells } from './nativeCells.ts';

/**
 * SQL engines and tools change the spelling of column names: `billed_cost`, `Billed Cost`. A reader that splits a file by itself
 * leaves a byte order mark, a quote or a CR.
 */
const COLUMNS = new Map(Object.keys(BillRow.shape).map((name) => [lettersOf(name), name]));
const columnOf = (name: string): string => COLUMNS.get(lettersOf(name)) ?? name;

/** What databases, data frames and spreadsheets write for null. */
const NULL = /^(?:null|<null>|\(null\)|\\N|nan?|none|#?n\/a)?$/i;

/**
 * A cell as readers of files give it. Empty text is null (FOCUS, null handling). A whole number is exact in JSON, so it is its
 * text; another number can have lost digits, and stays what it is. A file for spreadsheets, such as an export of this service,
 * guards text that looks like a formula.
 */
export const readCell = (cell: unknown): unknown => {
  if (typeof cell === 'string') return NULL.test(cell.trim()) ? null : restoreFormula(cell.trim());
  return Number.isSafeInteger(cell) ? String(cell) : cell;
};

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?(?: ?(?:Z|UTC|GMT|([+-]\d{2})(?::?(\d{2}))?(?: UTC)?))?$/i;
/**
 * An instant in RFC 3339. SQL engines and data frames write `2026-03-01 00:00:00`, `2026-03-01 00:00:00+00` and
 * `2026-03-01T00:00:00+0000`. Instants of FOCUS are in UTC, so one without a zone is, too.
 */
const instantOf = (text: string): string => {
  const [, date, time = '00:00:00', hours, minutes = '00'] = INSTANT.exec(text) ?? [];
  if (date === undefined) return text;
  const seconds = time.length === 'HH:mm'.length ? ':00' : '';
  return `${date}T${time}${seconds}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
};

const AMOUNT = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?)(\d{1,2}))?$/;
/** An amount in the form of FOCUS. Databases and data frames write `.5`, `5.`, `+5` and `1.5e+2`, too. */
const amountOf = (text: string): string => {
  const [, sign = '', whole = '', fraction = '', down, power] = AMOUNT.exec(text) ?? [];
  if (whole + fraction === '') return text;
  const number = `${whole || '0'}${fraction && `.${fraction}`}`;
  return `${sign.replace('+', '')}${number}${power === undefined ? '' : `e${down?.replace('+', '') ?? ''}${power}`}`;
};

const capitalized = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1).toLowerCase()}`;

const FORMS: Readonly<Record<string, (text: string) => string>> = {
  BilledCost: amountOf,
  ConsumedQuantity: amountOf,
  x_BillingExchangeRate: amountOf,
  x_CurrencyConversionRate: amountOf,
  BillingCurrency: (text) => text.toUpperCase(),
  PricingCurrency: (text) => text.toUpperCase(),
  x_PricingCurrency: (text) => text.toUpperCase(),
  ChargeCategory: capitalized,
  ChargeClass: capitalized,
  ChargePeriodStart: instantOf,
  ChargePeriodEnd: instantOf,
  BillingPeriodStart: instantOf,
  x_BillingExchangeRateDate: instantOf,
  BillingAccountId: canonicalId,
  SubAccountId: canonicalId,
  ResourceId: canonicalId,
};

const inForm = ([name, cell]: [string, unknown]): [string, unknown] => {
  const column = columnOf(name);
  const read = readCell(cell);
  return [column, typeof read === 'string' ? (FORMS[column]?.(read) ?? read) : read];
};

/** Of two spellings of a column, the one of FOCUS comes last, and so counts. */
const focusLast = (cells: Record<string, unknown>): [string, unknown][] => [
  ...Object.entries(cells).filter(([name]) => columnOf(name) !== name),
  ...Object.entries(cells).filter(([name]) => columnOf(name) === name),
];

/** A row without an end is of its day: exports of calls have the instant of each, those of days only the date. */
const withEnd = (cells: Record<string, unknown>): Record<string, unknown> => {
  const start = Date.parse(String(cells['ChargePeriodStart']));
  return cells['ChargePeriodEnd'] || Number.isNaN(start)
    ? cells
    : { ...cells, ChargePeriodEnd: toIso(startOf('day', start) + DAY_MS) };
};

/** The cells of a row, by the names of the columns and in the forms of a bill row. */
export const Cells = z.record(z.string(), z.unknown()).transform((cells): Record<string, unknown> => {
  const native = nativeCells(cells);
  const named = Object.fromEntries(focusLast(native ?? cells).map(inForm));
  return native === null ? named : withEnd(named);
});
export type Cells = z.infer<typeof Cells>;
