import type { BillRow } from '../../../../../schemas/chargeback/reconciliation.ts';
import { startOf } from '../../../../ledger/rollups/grain.ts';
import { type Decimal, decimal, ZERO } from '../../../../platform/shared/decimal.ts';
import { isBedrockEdition } from '../../meters/bedrockModels.ts';
import { readBedrockUsage, unitOfMarketplace } from '../../meters/bedrockUsage.ts';
import { tokenCount, tokensPerUnit } from '../../rows/billedTokens.ts';
import { LINE_ITEM_CATEGORIES } from '../../rows/lineItemCategories.ts';
import { type ReportedCharge, ReportedCurrency, toBilledCost } from '../reports/costReport.ts';

/** Read of every row. */
export const SELECTING_COLUMNS = ['line_item_product_code', 'bill_billing_entity'] as const;
/** Read of the rows that can be charges of Amazon Bedrock. No column names a person. */
export const DETAIL_COLUMNS = [
  'line_item_line_item_type',
  'line_item_usage_start_date',
  'line_item_usage_account_id',
  'line_item_usage_type',
  'line_item_usage_amount',
  'line_item_currency_code',
  'line_item_unblended_cost',
  'pricing_unit',
  'product_region_code',
] as const;
/** The account that AWS bills, and what AWS Marketplace calls a unit. Exports that were created without a column have no such value. */
export const OPTIONAL_COLUMNS = ['bill_payer_account_id', 'line_item_line_item_description'] as const;
/** The name of the product: a column that the query of the export selects, or a member of the map of its attributes. */
export const PRODUCT_NAME = 'product_name';

export type LineItemColumn =
  | (typeof SELECTING_COLUMNS)[number]
  | (typeof DETAIL_COLUMNS)[number]
  | (typeof OPTIONAL_COLUMNS)[number]
  | typeof PRODUCT_NAME;
/** A row of CUR 2.0: its value in a column, as Parquet has it. */
export type LineItem = (column: LineItemColumn) => unknown;

/** The parts of a charge that tell it from others of its day, and its exact amounts. */
export interface BedrockCharge {
  readonly day: number;
  readonly category: NonNullable<BillRow['ChargeCategory']>;
  readonly usageType: string;
  readonly productName: string | null;
  readonly payer: string | null;
  readonly account: string | null;
  readonly region: string | null;
  readonly unit: string | null;
  readonly currency: string;
  readonly cost: Decimal;
  readonly quantity: Decimal;
}

/** The services of Amazon Bedrock that charge for calls of models. */
const PRODUCT_CODES: ReadonlySet<string> = new Set([
  'AmazonBedrock',
  'AmazonBedrockService',
  'AmazonBedrockFoundationModels',
]);

/** The text; null if there is none. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

const TEXT_AMOUNT = /^-?\d{1,18}(?:\.\d{1,60})?(?:[eE][+-]?\d{1,3})?$/;
const AMOUNT_MAXIMUM = 1e18;

/**
 * An amount as an exact decimal. CUR 2.0 has doubles: the shortest decimal that reads back as the same double is the number
 * that AWS wrote, as long as it had at most 15 digits. Throws for what is no amount.
 */
const amountOf = (value: unknown): Decimal => {
  if (value === null || value === undefined) return ZERO;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !TEXT_AMOUNT.test(text) || Math.abs(Number(text)) >= AMOUNT_MAXIMUM) {
    throw new RangeError('a line item has no decimal amount');
  }
  return decimal(text);
};

const dayOf = (value: unknown): number => {
  const at = value instanceof Date ? value.getTime() : Date.parse(textOf(value) ?? '');
  if (!Number.isSafeInteger(at)) throw new RangeError('a line item has no start');
  return startOf('day', at);
};

/** Whether a row can be a charge of Amazon Bedrock, by the two columns that are read of every row. */
export const mayBeBedrock = (productCode: unknown, billingEntity: unknown): boolean =>
  PRODUCT_CODES.has(String(productCode)) || billingEntity === 'AWS Marketplace';

/** The charge of a row. Null if it is not of Amazon Bedrock. Throws when it does not have the documented form. */
export const toBedrockCharge = (item: LineItem): BedrockCharge | null => {
  const productName = textOf(item('product_name'));
  const isOwnService = PRODUCT_CODES.has(String(item('line_item_product_code')));
  if (!isOwnService && !isBedrockEdition(productName ?? '')) return null;
  const usageType = textOf(item('line_item_usage_type')) ?? '';
  const unit = textOf(item('pricing_unit'));
  return {
    day: dayOf(item('line_item_usage_start_date')),
    category: LINE_ITEM_CATEGORIES[String(item('line_item_line_item_type')).toLowerCase()] ?? 'Adjustment',
    usageType,
    productName: isOwnService ? null : productName,
    payer: textOf(item('bill_payer_account_id')),
    account: textOf(item('line_item_usage_account_id')),
    region: textOf(item('product_region_code')),
    unit:
      unit === 'Units'
        ? (unitOfMarketplace(usageType, textOf(item('line_item_line_item_description'))) ?? unit)
        : unit,
    currency: ReportedCurrency.parse(item('line_item_currency_code')),
    cost: amountOf(item('line_item_unblended_cost')),
    quantity: amountOf(item('line_item_usage_amount')),
  };
};

/** What identifies a charge within a statement. */
export const chargeKeyOf = ({ cost: _cost, quantity: _quantity, ...identity }: BedrockCharge): string =>
  JSON.stringify(Object.values(identity));

/** A charge as the importer stores it. Its tokens are known only for a unit of tokens. */
export const toReportedCharge = (charge: BedrockCharge): ReportedCharge => {
  const { category, usageType, productName, payer, account, region, unit, currency, cost, quantity } = charge;
  const { model, kind, tier } = readBedrockUsage(usageType, productName);
  const perUnit = unit === null ? null : tokensPerUnit(unit);
  const isTokens = category === 'Usage' && kind !== null && perUnit !== null;
  const count = isTokens ? tokenCount(quantity.toFixed(), perUnit) : null;
  return {
    BilledCost: toBilledCost(cost.toFixed()),
    BillingCurrency: currency,
    BillingAccountId: payer,
    ChargeCategory: category,
    x_Model: model,
    SkuMeter: usageType === '' ? productName : usageType,
    SubAccountId: account,
    RegionId: region,
    PricingCategory: tier,
    ...(count !== null && kind !== null && { tokens: { kind, count } }),
  };
};
