import * as z from 'zod';
import type { BillRow } from '../../../schemas/chargeback/reconciliation.ts';
import { Big, decimal } from '../../platform/shared/decimal.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { BilledTokens, billedTierOf, billedTokensOf } from './billedTokens.ts';
import { type BilledModel, billedModelOf } from './normalizeModel.ts';

/** A stored row. Instants are epoch milliseconds. */
const StoredRow = z.object({
  cost: z.string(),
  usage: z.boolean(),
  /** What a usage row charges for. Absent if it is unknown. */
  tokens: BilledTokens.optional(),
  /** The tier whose price a usage row has, such as `batch`. Absent for the standard tier. */
  tier: z.string().optional(),
  end: z.int(),
  /** When the call that sent it first arrived, or its report was requested. The later of two versions wins. */
  at: z.int(),
  /** The bill source that wrote it last, and the name of its account. */
  source: z.string().optional(),
  account: z.string().nullable().optional(),
});
export type KeptRow = z.infer<typeof StoredRow>;

/** The bill of a model on a day: its rows by row key. */
export const BilledDay = z.object({
  provider: z.string(),
  model: z.string().nullable(),
  day: z.iso.date(),
  rows: z.record(z.string(), StoredRow),
});
export type BilledDay = z.infer<typeof BilledDay>;

/** A bill row with its model, day and row key. */
export interface KeyedRow {
  readonly line: BilledModel;
  readonly day: string;
  readonly rowKey: string;
  readonly row: KeptRow;
}

/** Digest of all columns except amounts, so that a correction of an amount replaces the row. */
const rowKeyOf = ({ BilledCost: _cost, ConsumedQuantity: _quantity, ...identifying }: BillRow): string => {
  const entries = Object.entries(identifying)
    .filter(([, value]) => value !== null && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const { ChargePeriodStart, ChargePeriodEnd } = identifying;
  const instants = [ChargePeriodStart, ChargePeriodEnd].map((text) => Date.parse(text));
  const rest = entries.filter(([column]) => !column.startsWith('ChargePeriod'));
  return sha256Of('bill row', JSON.stringify([instants, rest]))
    .toString('base64url')
    .slice(0, 22);
};

/** Normalizes an amount: no exponent, no trailing zeros. */
const amountOf = (text: string): string => decimal(text).toFixed();

/** Converts a bill row. `at` is when its call arrived, epoch milliseconds. */
export const toKeyedRow = (row: BillRow, at: number): KeyedRow => {
  const start = Date.parse(row.ChargePeriodStart);
  const usage = (row.ChargeCategory ?? 'Usage') === 'Usage';
  const tokens = usage ? billedTokensOf(row) : null;
  const tier = usage ? billedTierOf(row) : null;
  return {
    line: billedModelOf(row),
    day: new Date(start).toISOString().slice(0, 10),
    rowKey: rowKeyOf(row),
    row: {
      cost: amountOf(row.BilledCost),
      usage,
      ...(tokens !== null && { tokens }),
      ...(tier !== null && { tier }),
      end: Date.parse(row.ChargePeriodEnd),
      at,
    },
  };
};

/**
 * Merges rows into a day. A row replaces the stored row of the same key, unless the stored one arrived later. The result
 * does not depend on the order of calls. Returns null when nothing changes.
 */
export const mergeRows = (
  stored: BilledDay | null,
  { line, day }: Pick<KeyedRow, 'line' | 'day'>,
  keyedRows: readonly KeyedRow[],
): BilledDay | null => {
  const rows = { ...stored?.rows };
  let isChanged = stored === null;
  for (const { rowKey, row } of keyedRows) {
    const previous = rows[rowKey];
    if (previous !== undefined && previous.at >= row.at) continue;
    rows[rowKey] = row;
    isChanged = true;
  }
  return isChanged ? { ...line, day, rows } : null;
};

/** The sums of bill rows. Amounts are USD. */
export interface BilledAmounts {
  /** Usage charges; null when none were billed. */
  readonly usage: string | null;
  readonly other: string;
  /** End of the newest charge, and arrival of the newest row (`at`). Epoch milliseconds. */
  readonly until: number;
  readonly at: number;
}

/** The exact sum of positive and negative amounts. */
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

/** The sums of several models or days; null when there is no bill. */
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
