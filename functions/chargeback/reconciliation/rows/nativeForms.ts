import type { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';
import { LINE_ITEM_CATEGORIES } from './lineItemCategories.ts';

type Column = keyof BillRow;

/** How a provider names the columns of a bill that is no FOCUS file. */
export interface NativeForm {
  /** Columns that together only this form has, and that no row has empty: clients leave out empty cells. */
  readonly marks: readonly string[];
  /** The provider that bills. */
  readonly provider: string;
  /** The currency, if the form has no column of it. */
  readonly currency?: 'USD';
  /** The column of FOCUS for each column of the form. Of two for the same, the first that is not empty counts. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The words of FOCUS for words of a column. Any other word is the value for `*`, or stays without one. */
  readonly words?: Partial<Record<Column, Readonly<Record<string, string | null>>>>;
}

const LONG = 'long context';

/** Cost details of Azure: https://learn.microsoft.com/azure/cost-management-billing/dataset-schema/schema-index */
const AZURE: Omit<NativeForm, 'marks'> = {
  provider: 'Microsoft',
  columns: {
    costInBillingCurrency: 'BilledCost',
    cost: 'BilledCost',
    billingCurrency: 'BillingCurrency',
    billingCurrencyCode: 'BillingCurrency',
    pricingCurrency: 'PricingCurrency',
    pricingCurrencyCode: 'PricingCurrency',
    exchangeRatePricingToBilling: 'x_BillingExchangeRate',
    exchangeRateDate: 'x_BillingExchangeRateDate',
    date: 'ChargePeriodStart',
    chargeType: 'ChargeCategory',
    billingProfileId: 'BillingAccountId',
    billingAccountId: 'BillingAccountId',
    subscriptionId: 'SubAccountId',
    resourceId: 'ResourceId',
    meterId: 'SkuId',
    meterName: 'x_SkuMeterName',
    meterSubCategory: 'x_SkuMeterSubcategory',
    quantity: 'ConsumedQuantity',
    unitOfMeasure: 'ConsumedUnit',
    resourceLocation: 'RegionId',
  },
  words: {
    ChargeCategory: {
      usage: 'Usage',
      purchase: 'Purchase',
      tax: 'Tax',
      refund: 'Credit',
      '*': 'Adjustment',
    },
    // The quantity is in units: a block of them is the unit of the price.
    ConsumedUnit: { '1k': 'Units', '10k': 'Units', '1m': 'Units' },
  },
};

/** The forms as their exports have them, read in November 2026 from public files, programs and the pages of the providers. */
export const NATIVE_FORMS: readonly NativeForm[] = [
  {
    // Costs of the platform: https://platform.openai.com/usage
    marks: ['amount_value', 'amount_currency'],
    provider: 'OpenAI',
    columns: {
      amount_value: 'BilledCost',
      amount_currency: 'BillingCurrency',
      start_time_iso: 'ChargePeriodStart',
      end_time_iso: 'ChargePeriodEnd',
      line_item: 'SkuId',
      organization_id: 'BillingAccountId',
      project_id: 'SubAccountId',
    },
  },
  {
    // Cost page of the console: https://platform.claude.com/cost
    marks: ['usage_date_utc', 'cost_usd'],
    provider: 'Anthropic',
    currency: 'USD',
    columns: {
      cost_usd: 'BilledCost',
      usage_date_utc: 'ChargePeriodStart',
      model: 'x_Model',
      token_type: 'SkuMeter',
      workspace: 'SubAccountId',
      api_key_id: 'x_RowId',
      api_key: 'x_RowId',
      inference_geo: 'RegionId',
      cost_type: 'SkuPriceId',
      usage_type: 'PricingCategory',
      speed: 'PricingCategory',
      context_window: 'PricingCategory',
    },
    words: {
      PricingCategory: { batch: 'batch', fast: 'fast', '> 200k': LONG, '200k-1m': LONG, '*': null },
    },
  },
  {
    // https://openrouter.ai/activity
    marks: ['generation_id', 'cost_total'],
    provider: 'OpenRouter',
    currency: 'USD',
    columns: {
      cost_total: 'BilledCost',
      created_at: 'ChargePeriodStart',
      model_permaslug: 'x_Model',
      generation_id: 'x_RowId',
    },
  },
  {
    // https://platform.deepseek.com/usage
    marks: ['wallet_type', 'start_time_iso'],
    provider: 'DeepSeek',
    columns: {
      cost: 'BilledCost',
      currency: 'BillingCurrency',
      start_time_iso: 'ChargePeriodStart',
      end_time_iso: 'ChargePeriodEnd',
      model: 'x_Model',
      wallet_type: 'SkuPriceId',
    },
  },
  { ...AZURE, marks: ['costInBillingCurrency', 'chargeType'] },
  // Files of Enterprise Agreements.
  { ...AZURE, marks: ['cost', 'chargeType', 'date'] },
  {
    // https://docs.cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/standard-usage
    marks: ['cost', 'usage_start_time', 'usage_end_time'],
    provider: 'Google Cloud',
    columns: {
      cost: 'BilledCost',
      currency: 'BillingCurrency',
      currency_conversion_rate: 'x_CurrencyConversionRate',
      usage_start_time: 'ChargePeriodStart',
      usage_end_time: 'ChargePeriodEnd',
      billing_account_id: 'BillingAccountId',
      'sku.id': 'SkuId',
      'sku.description': 'SkuMeter',
      'service.description': 'ServiceName',
      'project.id': 'SubAccountId',
      'location.region': 'RegionId',
      'resource.global_name': 'ResourceId',
      'usage.amount': 'ConsumedQuantity',
      'usage.unit': 'ConsumedUnit',
      cost_type: 'ChargeCategory',
      'credit.id': 'x_RowId',
      'credit.name': 'x_RowId',
    },
    words: { ChargeCategory: { regular: 'Usage', tax: 'Tax', credit: 'Credit', '*': 'Adjustment' } },
  },
  {
    // https://docs.aws.amazon.com/cur/latest/userguide/table-dictionary-cur2-line-item.html
    marks: ['line_item_unblended_cost', 'line_item_line_item_type'],
    provider: 'AWS',
    columns: {
      line_item_unblended_cost: 'BilledCost',
      line_item_currency_code: 'BillingCurrency',
      line_item_usage_start_date: 'ChargePeriodStart',
      line_item_usage_end_date: 'ChargePeriodEnd',
      line_item_line_item_type: 'ChargeCategory',
      bill_payer_account_id: 'BillingAccountId',
      line_item_usage_account_id: 'SubAccountId',
      line_item_resource_id: 'ResourceId',
      product_sku: 'SkuId',
      product_product_name: 'ServiceName',
      product_name: 'ServiceName',
      line_item_usage_type: 'x_UsageType',
      line_item_usage_amount: 'ConsumedQuantity',
      line_item_line_item_description: 'ChargeDescription',
      pricing_unit: 'ConsumedUnit',
      product_region_code: 'RegionId',
    },
    words: { ChargeCategory: { ...LINE_ITEM_CATEGORIES, '*': 'Adjustment' } },
  },
];
