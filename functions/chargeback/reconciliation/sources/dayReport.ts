import type { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { sumDecimals } from '../../../platform/shared/decimal.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { type BillLine, toBillLine } from '../bill.ts';
import { type BilledTokens, billedRegion } from '../billedTokens.ts';
import { readBillRow } from '../readRows.ts';
import type { ReportedBucket, ReportedCharge } from './costReport.ts';

/** Whose bill is read, and the start of the day in epoch milliseconds. */
export interface ReportOrigin {
  readonly providerName: string;
  readonly account: string | null;
  readonly day: number;
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
    BillingCurrency: 'USD',
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

/** The charges of each purchase, added. */
const combine = (charges: readonly ReportedCharge[], origin: ReportOrigin): BillLine[] =>
  [
    ...Map.groupBy(
      charges.map((charge) => ({ charge, line: toBillLine(toBillRow(charge, origin)) })),
      ({ line }) => JSON.stringify([line.provider, line.model, line.key, line.meter]),
    ).values(),
  ].flatMap((parts) => {
    const [first] = parts;
    if (first === undefined) return [];
    const { tokens: _own, ...line } = first.line;
    const cost = sumDecimals(parts.map((part) => part.line.cost));
    const tokens = sumTokens(parts.map(({ charge }) => charge));
    return [{ ...line, cost, ...(tokens !== undefined && { tokens }) }];
  });

/**
 * The bill rows of a report. A report is one statement, so charges of the same purchase are parts of one amount, and are
 * added exactly. A model with very many rows is stored without its projects, which no comparison uses. Throws when a charge
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
