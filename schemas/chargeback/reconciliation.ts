import * as z from 'zod';
import { DAY_MS } from '../durations.ts';
import { freeText, label, Timestamp } from '../values.ts';
import { DifferenceParts } from './differenceParts.ts';
import { Currency } from './exchangeRates.ts';

/** Bill rows of one request. */
export const BILL_ROWS_MAXIMUM = 5_000;

/** Fractional digits of an amount as it is stored. Providers sum floats, so their amounts can have more. */
export const BILLED_FRACTION_DIGITS = 18;

/** An exponent is bounded, because one of a million is a million digits. FOCUS allows no plus sign. */
const AMOUNT = /^-?\d{1,18}(?:\.\d{1,250})?(?:[eE]-?\d{1,2})?$/;

/** With an exponent, few digits can be a large amount. */
const AMOUNT_MAXIMUM = 1e18;
const DIGITS = 'must be a decimal string with at most 18 integer digits';

/** An amount of a bill, with any number of fractional digits that a file has. Credits are negative. */
const BilledAmount = z
  .string()
  .regex(AMOUNT, { error: DIGITS, abort: true })
  .refine((text) => Math.abs(Number(text)) <= AMOUNT_MAXIMUM, DIGITS)
  .meta({
    id: 'BilledAmount',
    description: `Decimal as a string, also 1.2E-7. Stored with ${BILLED_FRACTION_DIGITS} fractional digits, rounded half to even`,
    example: '12.345',
  });

const Identifier = label(512).nullish().meta({ id: 'BillIdentifier' });
const Category = z.enum(['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment']);

/** Columns that say more about a charge. A value that cannot be stored is left out: it must not cost the charge. */
const details = {
  x_Model: label(256).nullish().meta({ description: 'The model, if the bill names it', example: 'gpt-4o' }),
  x_ServedModelId: label(256)
    .nullish()
    .meta({ description: 'The model, under the column name of FOCUS exports of this service' }),
  SkuId: Identifier.meta({
    description: 'Used as the model if x_Model is missing, unless it is an id without a name',
  }),
  ResourceId: Identifier.meta({ description: 'Used as the model if SkuId is also missing' }),
  ServiceName: Identifier.meta({ description: 'Names the model of a product of AWS Marketplace' }),
  ConsumedQuantity: BilledAmount.nullish(),
  ConsumedUnit: Identifier,
  SkuMeter: Identifier.meta({ description: 'Names the model on bills of AWS, Azure and Google' }),
  x_SkuMeterName: Identifier.meta({ description: 'The meter at Azure' }),
  x_SkuMeterSubcategory: Identifier.meta({
    description: 'The product of the meter at Azure, which can name the family',
  }),
  x_UsageType: Identifier.meta({ description: 'The meter at AWS' }),
  SkuPriceId: Identifier,
  SubAccountId: Identifier,
  RegionId: Identifier,
  PricingCategory: Identifier,
  ChargeClass: z.enum(['Correction']).nullish().meta({
    description: 'Correction: adds to the row of an earlier bill',
  }),
  BillingPeriodStart: Timestamp.nullish().meta({
    description: 'Tells corrections apart',
  }),
  ChargeDescription: freeText(1_024).nullish().meta({
    description: 'Used as the meter on bills of Google, if that names no model',
  }),
  x_BillingExchangeRate: BilledAmount.nullish().meta({
    description:
      'Units of the currency for one of the pricing currency at Azure. Used without a rate in exchange_rates, if that is USD',
  }),
  x_BillingExchangeRateDate: Timestamp.nullish(),
  PricingCurrency: Currency.nullish(),
  x_PricingCurrency: Currency.nullish().meta({ description: 'FOCUS before 1.2' }),
  x_CurrencyConversionRate: BilledAmount.nullish().meta({
    description: 'Units of the currency for one US dollar at Google. Used without a rate in exchange_rates',
  }),
  InvoiceDetailId: Identifier.meta({
    description: 'Not used',
  }),
};
export const detailColumns: ReadonlySet<string> = new Set(Object.keys(details));

/**
 * One row of a provider bill with FOCUS columns (https://focus.finops.org). Other columns are ignored, so a provider row can
 * be sent unchanged.
 */
export const BillRow = z
  .object({
    BilledCost: BilledAmount,
    BillingCurrency: Currency.meta({
      description: 'USD, or a currency whose rate the request or the row states',
      example: 'USD',
    }),
    ServiceProviderName: label(64).nullish().meta({ description: 'FOCUS 1.3 and later', example: 'OpenAI' }),
    ProviderName: label(64).nullish().meta({ description: 'FOCUS before 1.3' }),
    ChargePeriodStart: Timestamp,
    ChargePeriodEnd: Timestamp.meta({
      description: 'Exclusive. Of usage: on the same UTC day. Other charges count on their first day',
    }),
    ChargeCategory: Category.nullish().meta({
      description: 'Default: Usage. Other categories are summed separately and not compared',
    }),
    BillingAccountId: Identifier.meta({
      description: 'Without it, the row is of the whole provider',
    }),
    ...details,
    x_RowId: Identifier.meta({ description: 'Your id of the purchase' }),
  })
  .superRefine((row, issues) => {
    const [start, end] = [Date.parse(row.ChargePeriodStart), Date.parse(row.ChargePeriodEnd)];
    const addIssue = (path: string, message: string) =>
      issues.addIssue({ code: 'custom', path: [path], message });
    if (end <= start) addIssue('ChargePeriodEnd', 'must be later than ChargePeriodStart');
    else if (
      (row.ChargeCategory ?? 'Usage') === 'Usage' &&
      Math.floor(start / DAY_MS) !== Math.floor((end - 1) / DAY_MS)
    ) {
      addIssue('ChargePeriodEnd', 'must be on the same UTC day as ChargePeriodStart. Send daily rows');
    }
    if ((row.ServiceProviderName ?? row.ProviderName ?? null) === null) {
      addIssue('ServiceProviderName', 'ServiceProviderName or ProviderName is required');
    }
  })
  .meta({
    id: 'BillRow',
    example: {
      BilledCost: '12.345',
      BillingCurrency: 'USD',
      ServiceProviderName: 'OpenAI',
      ChargePeriodStart: '2026-03-01T00:00:00Z',
      ChargePeriodEnd: '2026-03-02T00:00:00Z',
      SkuId: 'gpt-4o-2024-08-06',
      SkuMeter: 'Input Tokens',
    },
  });
export type BillRow = z.infer<typeof BillRow>;

/** A positive or negative sum as a decimal string. */
const Sum = z.string().regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);

/**
 * Comparison of attributed and billed cost. `billed − attributed = unattributed + mixed + not_seen + under_recorded −
 * over_attributed − not_billed` holds exactly in every row and in the totals.
 */
export const Balance = z.object({
  invocations: z.int(),
  recorded_usd: Sum.nullable().meta({
    id: 'RecordedUsd',
    description:
      'Known cost of all records: attributed + unattributed + mixed. Null if the cost of every record is unknown, which is not zero. The other sums are then 0, because they contain known costs only',
  }),
  attributed_usd: Sum.meta({
    description: 'Known cost of records that are attributed to an owner, including shares of allocated cost',
  }),
  billed_usd: Sum.nullable().meta({ description: 'Usage charges of the bills. Null if nothing was billed' }),
  difference_usd: Sum.nullable().meta({ description: 'billed − attributed. Null if nothing was billed' }),
  unattributed_usd: Sum.meta({ description: 'Known cost of records without an owner' }),
  mixed_usd: Sum.meta({
    description:
      'Known cost of groups that contain records with and without an owner. They are not split, because the parts could show the cost of fewer than five persons',
  }),
  not_seen_usd: Sum.meta({ description: 'Billed for a model on days that have no record of it' }),
  under_recorded_usd: Sum.meta({
    description:
      'Billed in excess of the recorded cost of the day: calls that were not captured, not priced, or priced too low',
  }),
  over_attributed_usd: Sum.meta({
    description: 'Recorded in excess of the billed cost: list prices above your prices, or credits',
  }),
  not_billed_usd: Sum.meta({
    description:
      'Recorded for a model on days without a bill row for it. The bill has not been imported or does not exist',
  }),
  difference_parts: DifferenceParts,
  other_charges_usd: Sum.meta({
    description: 'Purchases, taxes, credits and adjustments. They are not compared',
  }),
  unpriced_invocations: z.int().meta({ description: 'Records whose cost is unknown. No sum includes them' }),
  implausible_invocations: z.int().meta({
    description:
      'Those of them whose cost is implausible and waits for a confirmation. A bill that contains these calls is higher for that reason alone',
  }),
  changed_since_bill: z.boolean().meta({
    description: 'True if records were added or changed after the newest bill row was imported',
  }),
});
export type Balance = z.infer<typeof Balance>;

const suppressed = {
  suppressed_groups: z.int().meta({
    description:
      'Number of groups (provider and model, if `group_by` names them) that are folded into this row. A group counts once for each day on which it occurs',
  }),
  billed_until: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'End of the newest charge period of the bills' }),
};

export const ReconciliationTotals = Balance.extend(suppressed).meta({ id: 'ReconciliationTotals' });

export const ReconciliationRow = Balance.extend({
  kind: z.enum(['group', 'folded']).meta({
    description:
      'group: all records and charges of the named provider, model and day, except those that are folded. folded: records that are shown only together, with all charges of their models and days. A provider or model that they do not share is omitted',
  }),
  provider: z.string().optional().meta({ description: 'Omitted if it is folded' }),
  model: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Null: charges without a model. Omitted if it is folded' }),
  day: z.iso.date().optional().meta({
    description: 'UTC day. Records and charges of a day with too few persons are counted on another day',
  }),
  ...suppressed,
}).meta({ id: 'ReconciliationRow' });
export type ReconciliationRow = z.infer<typeof ReconciliationRow>;

/** Whether the bills of a provider are complete, so that nobody takes a missing bill for a saving. */
export const BillCoverage = z
  .object({
    provider: z.string(),
    billed_until: z.iso.datetime().nullable().meta({
      description:
        'End of the newest charge of the provider in the months of the period. Null without a bill',
    }),
    is_late: z.boolean().meta({
      description:
        'With bill sources: true if one of them is late (`is_late`). Otherwise true if a day of the period ended more than 24 hours ago, and neither it nor a later day has a bill. False for a provider without any bill',
    }),
    days_without_bill: z.array(z.iso.date()).meta({
      description:
        'UTC days of the period, up to today, without a bill row of the provider. With bill sources also each day for which the provider published nothing to one of them, nor for a later day. A day without usage has no bill either',
    }),
  })
  .meta({ id: 'BillCoverage' });
export type BillCoverage = z.infer<typeof BillCoverage>;
