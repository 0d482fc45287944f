import type { ExchangeRates } from '../../../../../schemas/chargeback/exchangeRates.ts';
import type { BillRow } from '../../../../../schemas/chargeback/reconciliation.ts';
import { DAY_MS } from '../../../../../schemas/durations.ts';
import { sumDecimals } from '../../../../platform/shared/decimal.ts';
import { toIso, utcDateOf } from '../../../../platform/shared/time/toIso.ts';
import { type BillLine, toBillLine } from '../../rows/bill.ts';
import { type BilledTokens, billedRegion } from '../../rows/billedTokens.ts';
import { exchangeOn } from '../../rows/exchange.ts';
import { readBillRow } from '../../rows/readRows.ts';
import { OtherCurrency, type ReportedBucket, type ReportedCharge } from './costReport.ts';

/** Whose bill is read, the start of the day in epoch milliseconds, and the rates of other currencies that the source has. */
export interface ReportOrigin {
  readonly providerName: string;
  readonly account: string | null;
  readonly day: number;
  readonly rates: ExchangeRates | null;
}

/** A day has more rows of a model than are read together. */
export class TooManyRows extends Error {
  override readonly name = 'TooManyRows';
}

/** Throws when a charge is not a valid bill row. */
const toBillRow = (
  { tokens: _tokens, ...charge }: ReportedCharge,
  { providerName, account, day }: ReportOrigin,
): BillRow => {
  const { data, error } = readBillRow({
    ...charge,
    ServiceProviderName: providerName,
    BillingAccountId: account,
    ChargePeriodStart: toIso(day),
    ChargePeriodEnd: toIso(day + DAY_MS),
  });
  if (data === undefined) throw error;
  return data;
};

/**
 * The charges of one day in the buckets of a report. A bucket of another day is left out: its day is requested too. Throws
 * when a bucket is not one UTC day, because its charges belong to several.
 */
export const chargesOfDay = (buckets: readonly ReportedBucket[], day: number): ReportedCharge[] =>
  buckets.flatMap(({ start, end, charges }) => {
    if (start % DAY_MS !== 0 || end !== start + DAY_MS) throw new RangeError('a bucket is not one UTC day');
    return start === day ? charges : [];
  });

/** Rows of a model and day that are stored with their projects. */
const DETAILED_ROWS_MAXIMUM = 500;
/** Rows of a model and day without projects: a comparison reads all of them. */
const ROWS_MAXIMUM = 2_000;

/** The tokens of several charges together. Undefined if those of one are unknown, or their kinds differ. */
const sumTokens = (charges: readonly ReportedCharge[]): BilledTokens | undefined => {
  const all = charges.map(({ tokens }) => tokens);
  const [first] = all;
  // Charges of one row have the same region.
  const RegionId = charges[0]?.RegionId;
  if (first === undefined || all.some((tokens) => tokens?.kind !== first.kind)) return undefined;
  const count = all.reduce((total, tokens) => total + (tokens?.count ?? 0), 0);
  return Number.isSafeInteger(count) ? { kind: first.kind, count, ...billedRegion(RegionId) } : undefined;
};

/** How the charges of a day in a currency become USD. Throws {@link OtherCurrency} without a rate. */
const exchangeOf = (currency: string, { day, rates }: ReportOrigin) => {
  const exchange = exchangeOn(rates ?? undefined, currency, utcDateOf(day));
  if (exchange === null) throw new OtherCurrency('a charge has no rate for its day');
  return exchange;
};

/** The charges of each purchase, added. */
const combine = (charges: readonly ReportedCharge[], origin: ReportOrigin): BillLine[] =>
  [
    ...Map.groupBy(
      charges.map((charge) => {
        const row = toBillRow(charge, origin);
        const exchange = exchangeOf(row.BillingCurrency, origin);
        return { charge, row, exchange, line: toBillLine(row, exchange) };
      }),
      ({ row, line }) =>
        JSON.stringify([line.provider, line.model, line.key, line.meter, row.BillingCurrency]),
    ).values(),
  ].flatMap((parts) => {
    const [first] = parts;
    if (first === undefined) return [];
    const BilledCost = sumDecimals(parts.map(({ row }) => row.BilledCost));
    const { tokens: _own, ...line } = toBillLine({ ...first.row, BilledCost }, first.exchange);
    const tokens = sumTokens(parts.map(({ charge }) => charge));
    return [{ ...line, ...(tokens !== undefined && { tokens }) }];
  });

/**
 * The bill rows of a report. A report is one statement, so charges of the same purchase are parts of one amount, and are
 * added exactly, before they become USD. A model with very many rows is stored without its projects, which no comparison uses. Throws when a charge
 * is not a valid bill row, and {@link TooManyRows}.
 */
export const toBillLines = (charges: readonly ReportedCharge[], origin: ReportOrigin): BillLine[] =>
  [...Map.groupBy(charges, ({ x_Model }) => x_Model ?? null).values()].flatMap((ofModel) => {
    const detailed = combine(ofModel, origin);
    if (detailed.length <= DETAILED_ROWS_MAXIMUM) return detailed;
    const lines = combine(
      ofModel.map((charge) => ({ ...charge, SubAccountId: null })),
      origin,
    );
    if (lines.length > ROWS_MAXIMUM) throw new TooManyRows();
    return lines;
  });
