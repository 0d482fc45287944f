import * as z from 'zod';
import type { BillRow } from '../../schemas/reconciliation.ts';
import { Big, decimal } from '../shared/decimal.ts';
import { sha256Of } from '../shared/hash.ts';
import { type BilledModel, billedModelOf } from './normalizeModel.ts';

/** A row as it is kept: instants in epoch milliseconds. */
const StoredRow = z.object({
  cost: z.string(),
  usage: z.boolean(),
  end: z.int(),
  /** When the call that brought it first arrived: of two the later one stands. */
  at: z.int(),
});
export type KeptRow = z.infer<typeof StoredRow>;

/** What was billed for a line on a day: its rows by what tells them apart. */
export const BilledDay = z.object({
  provider: z.string(),
  model: z.string().nullable(),
  day: z.iso.date(),
  rows: z.record(z.string(), StoredRow),
});
export type BilledDay = z.infer<typeof BilledDay>;

/** A row of a bill with its place and its name there. */
export interface KeyedRow {
  readonly line: BilledModel;
  readonly day: string;
  readonly rowKey: string;
  readonly row: KeptRow;
}

/** Everything a row says but how much: a correction of an amount is the same row. */
const rowKeyOf = ({ BilledCost: _cost, ConsumedQuantity: _quantity, ...said }: BillRow): string => {
  const entries = Object.entries(said)
    .filter(([, value]) => value !== null && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const { ChargePeriodStart, ChargePeriodEnd } = said;
  const instants = [ChargePeriodStart, ChargePeriodEnd].map((text) => Date.parse(text));
  const rest = entries.filter(([column]) => !column.startsWith('ChargePeriod'));
  return sha256Of('bill row', JSON.stringify([instants, rest]))
    .toString('base64url')
    .slice(0, 22);
};

/** The amount in one spelling: no exponent, no zeros at its end. */
const amountOf = (text: string): string => decimal(text).toFixed();

/** Where a row belongs; `at` is when its call arrived. */
export const toKeyedRow = (row: BillRow, at: number): KeyedRow => {
  const start = Date.parse(row.ChargePeriodStart);
  return {
    line: billedModelOf(row),
    day: new Date(start).toISOString().slice(0, 10),
    rowKey: rowKeyOf(row),
    row: {
      cost: amountOf(row.BilledCost),
      usage: (row.ChargeCategory ?? 'Usage') === 'Usage',
      end: Date.parse(row.ChargePeriodEnd),
      at,
    },
  };
};

/**
 * A day with rows put in: each replaces what its name said before, unless that came later. The order in which calls are
 * merged makes no difference; null where nothing changes.
 */
export const mergeRows = (
  known: BilledDay | null,
  { line, day }: Pick<KeyedRow, 'line' | 'day'>,
  placedRows: readonly KeyedRow[],
): BilledDay | null => {
  const rows = { ...known?.rows };
  let isChanged = known === null;
  for (const { rowKey, row } of placedRows) {
    const before = rows[rowKey];
    if (before !== undefined && before.at >= row.at) continue;
    rows[rowKey] = row;
    isChanged = true;
  }
  return isChanged ? { ...line, day, rows } : null;
};

/** What a line was billed on a day. */
export interface BilledAmounts {
  /** Usage; null where none was billed. */
  readonly usage: string | null;
  readonly other: string;
  /** End of the newest charge, and when the newest row came; epoch milliseconds. */
  readonly until: number;
  readonly at: number;
}

/** The exact sum of amounts of either sign. */
export const sumOf = (amounts: readonly string[]): string =>
  amounts.reduce((total, amount) => total.plus(decimal(amount)), Big('0')).toFixed();

export const billedOf = ({ rows }: Pick<BilledDay, 'rows'>): BilledAmounts => {
  const all = Object.values(rows);
  const usage = all.filter((row) => row.usage);
  return {
    usage: usage.length === 0 ? null : sumOf(usage.map(({ cost }) => cost)),
    other: sumOf(all.filter((row) => !row.usage).map(({ cost }) => cost)),
    until: Math.max(...all.map(({ end }) => end)),
    at: Math.max(...all.map(({ at }) => at)),
  };
};

/** What several lines or days were billed together; null where there is no bill. */
export const billedTogether = (days: readonly Pick<BilledDay, 'rows'>[]): BilledAmounts | null => {
  const all = days.map(billedOf);
  if (all.length === 0) return null;
  const usage = all.flatMap((billed) => billed.usage ?? []);
  return {
    usage: usage.length === 0 ? null : sumOf(usage),
    other: sumOf(all.map(({ other }) => other)),
    until: Math.max(...all.map(({ until }) => until)),
    at: Math.max(...all.map(({ at }) => at)),
  };
};
