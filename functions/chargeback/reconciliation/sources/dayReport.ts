import type * as z from 'zod';
import { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { type KeyedRow, sumOf, toKeyedRow } from '../bill.ts';
import { type BilledTokens, billedRegion } from '../billedTokens.ts';
import type { ReportedBucket, ReportedCharge } from './costReport.ts';

/** Whose bill is read, which day of it, and when it was requested. Epoch milliseconds. */
export interface ReportOrigin {
  readonly sourceId: string;
  readonly providerName: string;
  readonly account: string | null;
  readonly day: number;
  readonly at: number;
}

/** The text; null if a bill row must not hold it, because it looks like a secret or a prompt. Its costs are kept. */
const keepIfValid = <Text>(shape: z.ZodType<Text>, text: Text): Text | null =>
  shape.safeParse(text).success ? text : null;

const columns = BillRow.shape;

const toBillRow = (charge: ReportedCharge, { providerName, account, day }: ReportOrigin): BillRow =>
  BillRow.parse({
    BilledCost: charge.BilledCost,
    BillingCurrency: 'USD',
    ServiceProviderName: providerName,
    BillingAccountId: account,
    ChargePeriodStart: toIso(day),
    ChargePeriodEnd: toIso(day + DAY_MS),
    ChargeCategory: charge.ChargeCategory,
    x_Model: keepIfValid(columns.x_Model, charge.x_Model),
    SkuMeter: keepIfValid(columns.SkuMeter, charge.SkuMeter),
    SkuPriceId: keepIfValid(columns.SkuPriceId, charge.SkuPriceId),
    SubAccountId: keepIfValid(columns.SubAccountId, charge.SubAccountId),
    RegionId: keepIfValid(columns.RegionId, charge.RegionId),
    ChargeDescription: keepIfValid(columns.ChargeDescription, charge.ChargeDescription),
    PricingCategory: keepIfValid(columns.PricingCategory, charge.PricingCategory),
  });

/**
 * The charges of one day in the buckets of a report. A bucket of another day is left out: its day is requested too. Throws
 * when a bucket is not one UTC day, because its charges belong to several.
 */
export const chargesOfDay = (buckets: readonly ReportedBucket[], day: number): ReportedCharge[] =>
  buckets.flatMap(({ start, end, charges }) => {
    if (start % DAY_MS !== 0 || end !== start + DAY_MS) throw new RangeError('a bucket is not one UTC day');
    return start === day ? charges : [];
  });

/** Rows of a model and day that are stored with their projects. A day can hold 2,000, those of earlier reports included. */
const DETAILED_ROWS_MAXIMUM = 500;

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

/** The charges of one row, added. */
const combine = (charges: readonly ReportedCharge[], origin: ReportOrigin): KeyedRow[] =>
  [
    ...Map.groupBy(
      charges.map((charge) => ({ charge, ...toKeyedRow(toBillRow(charge, origin), origin.at) })),
      ({ rowKey }) => rowKey,
    ).values(),
  ].flatMap((parts) => {
    const [first] = parts;
    if (first === undefined) return [];
    const { line, day, rowKey, row } = first;
    const cost = sumOf(parts.map((part) => part.row.cost));
    const tokens = sumTokens(parts.map(({ charge }) => charge));
    return [
      {
        line,
        day,
        rowKey,
        row: { ...row, cost, ...(tokens && { tokens }), source: origin.sourceId, account: origin.account },
      },
    ];
  });

/**
 * The bill rows of a report. A report is one statement, so charges with the same identity are parts of one amount, and are
 * added exactly. A model with very many rows is stored without its projects, which no comparison uses. Throws when a charge
 * is not a valid bill row.
 */
export const toKeyedRows = (charges: readonly ReportedCharge[], origin: ReportOrigin): KeyedRow[] =>
  [...Map.groupBy(charges, ({ x_Model }) => x_Model ?? null).values()].flatMap((ofModel) => {
    const rows = combine(ofModel, origin);
    if (rows.length <= DETAILED_ROWS_MAXIMUM) return rows;
    const withoutProjects = ofModel.map((charge) => ({ ...charge, SubAccountId: null }));
    return combine(withoutProjects, origin);
  });
