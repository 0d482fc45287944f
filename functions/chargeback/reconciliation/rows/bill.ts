import * as z from 'zod';
import { BILLED_FRACTION_DIGITS, type BillRow } from '../../../../schemas/chargeback/reconciliation.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { canonicalProvider } from '../../../impact/usage/modelIdentity.ts';
import { type Decimal, decimal, sumDecimals } from '../../../platform/shared/decimal.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';
import { billedModelOf } from './billedModel.ts';
import { BilledTokens, billedTierOf, billedTokensOf } from './billedTokens.ts';
import { Exchange } from './exchange.ts';
import { purchaseOf } from './purchase.ts';

/** A row of a delivery, as it is stored. */
export const BillLine = z.object({
  /** The provider that bills, in the spelling of {@link canonicalProvider}, and the account that the bill names. */
  biller: z.string(),
  account: z.string().nullable(),
  /** What is compared with calls: a UTC day of a model, which another provider can have made. */
  provider: z.string(),
  model: z.string().nullable(),
  day: z.iso.date(),
  key: z.string(),
  meter: z.string().nullable(),
  cost: z.string(),
  usage: z.boolean(),
  /** What a usage row charges for. Absent if it is unknown. */
  tokens: BilledTokens.optional(),
  /** The tier whose price a usage row has, such as `batch`. Absent for the standard tier. */
  tier: z.string().optional(),
  /** End of the charge period, in epoch milliseconds. Of a fee for many days: of its first day, on which it counts. */
  end: z.int(),
  /** Absent for an amount in USD. */
  exchange: Exchange.optional(),
});
export type BillLine = z.infer<typeof BillLine>;

/** A row of the bill in force. `at` is when its delivery arrived, in epoch milliseconds. */
export type BilledRow = Pick<BillLine, 'cost' | 'usage' | 'tokens' | 'tier' | 'end'> & {
  readonly at: number;
};

/** The bill of a model on a UTC day. */
export interface BilledDay {
  readonly provider: string;
  readonly model: string | null;
  readonly day: string;
  readonly rows: readonly BilledRow[];
}

/** An amount as it is stored: rounded half to even, no exponent, no trailing zeros. */
export const storedAmount = (text: string): string => decimal(text).round(BILLED_FRACTION_DIGITS).toFixed();

/** The cost of a row in USD, before it is rounded to what is stored. */
export const exactUsd = (
  { BilledCost }: Pick<BillRow, 'BilledCost'>,
  exchange?: Pick<Exchange, 'rate'>,
): Decimal => decimal(BilledCost).times(exchange?.rate ?? '1');

/** Converts a bill row. `exchange`: how its cost becomes USD, for a row in another currency. */
export const toBillLine = (row: BillRow, exchange?: Omit<Exchange, 'currency' | 'amount'>): BillLine => {
  const usage = (row.ChargeCategory ?? 'Usage') === 'Usage';
  const day = utcDateOf(Date.parse(row.ChargePeriodStart));
  const tokens = usage ? billedTokensOf(row) : null;
  const tier = usage ? billedTierOf(row) : null;
  return {
    biller: canonicalProvider(row.ServiceProviderName ?? row.ProviderName ?? ''),
    account: row.BillingAccountId ?? null,
    ...billedModelOf(row),
    day,
    ...purchaseOf(row),
    cost: exactUsd(row, exchange).round(BILLED_FRACTION_DIGITS).toFixed(),
    usage,
    ...(tokens !== null && { tokens }),
    ...(tier !== null && { tier }),
    end: Math.min(Date.parse(row.ChargePeriodEnd), Date.parse(day) + DAY_MS),
    ...(exchange !== undefined && {
      exchange: { currency: row.BillingCurrency, amount: storedAmount(row.BilledCost), ...exchange },
    }),
  };
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

export const billedOf = ({ rows }: Pick<BilledDay, 'rows'>): BilledAmounts => {
  const usage = rows.filter((row) => row.usage);
  return {
    usage: usage.length === 0 ? null : sumDecimals(usage.map(({ cost }) => cost)),
    other: sumDecimals(rows.filter((row) => !row.usage).map(({ cost }) => cost)),
    until: rows.reduce((latest, { end }) => Math.max(latest, end), 0),
    at: rows.reduce((latest, { at }) => Math.max(latest, at), 0),
  };
};

/** The sums of several models or days; null when there is no bill. */
export const billedTogether = (days: readonly Pick<BilledDay, 'rows'>[]): BilledAmounts | null => {
  const all = days.map(billedOf);
  if (all.length === 0) return null;
  const usage = all.flatMap((billed) => billed.usage ?? []);
  return {
    usage: usage.length === 0 ? null : sumDecimals(usage),
    other: sumDecimals(all.map(({ other }) => other)),
    until: Math.max(...all.map(({ until }) => until)),
    at: Math.max(...all.map(({ at }) => at)),
  };
};
