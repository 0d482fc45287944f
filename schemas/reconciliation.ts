import * as z from 'zod';
import { label, Timestamp } from './values.ts';

/** Rows of one call. */
export const BILL_ROWS_MAXIMUM = 5_000;

/**
 * An amount of a bill: exact, and of either sign, since credits are negative. FOCUS writes numbers with an exponent
 * where it likes to (`1.2E-7`), never with a plus sign.
 */
const BilledAmount = z
  .string()
  .regex(
    /^-?\d{1,18}(?:\.\d{1,18})?(?:[eE]-?\d{1,2})?$/,
    'must be a decimal as a string, with at most 18 digits on either side',
  )
  .meta({ description: 'Decimal as a string', example: '12.345' });

const Identifier = label(512).nullish();
const Category = z.enum(['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment']);
const DAY = 24 * 60 * 60 * 1_000;

/**
 * One row of a provider's bill in FOCUS columns (https://focus.finops.org). Columns that are not named here are ignored:
 * a row may be sent as the provider wrote it.
 */
export const BillRow = z
  .object({
    BilledCost: BilledAmount,
    BillingCurrency: z.literal('USD'),
    ServiceProviderName: label(64).nullish().meta({ description: 'FOCUS 1.4', example: 'OpenAI' }),
    ProviderName: label(64).nullish().meta({ description: 'FOCUS before 1.4' }),
    ChargePeriodStart: Timestamp,
    ChargePeriodEnd: Timestamp.meta({ description: 'Excluded; within the same day of UTC' }),
    ChargeCategory: Category.nullish().meta({
      description: 'Usage where left out; anything else is summed apart and not compared',
    }),
    x_Model: label(256)
      .nullish()
      .meta({ description: 'The model, where the bill names it', example: 'gpt-4o' }),
    x_ServedModelId: label(256).nullish().meta({ description: 'The same, as our own exports name it' }),
    SkuId: Identifier.meta({ description: 'Stands for the model where x_Model is missing' }),
    ResourceId: Identifier.meta({ description: 'Stands for the model where SkuId is missing too' }),
    ConsumedQuantity: BilledAmount.nullish(),
    ConsumedUnit: Identifier,
    SkuMeter: Identifier,
    SkuPriceId: Identifier,
    SubAccountId: Identifier,
    BillingAccountId: Identifier,
    RegionId: Identifier,
    ChargeDescription: label(1_024).nullish(),
    PricingCategory: Identifier,
    InvoiceDetailId: Identifier,
    x_RowId: Identifier.meta({ description: 'Tells rows apart that are alike in every other column' }),
  })
  .superRefine((row, issues) => {
    const [start, end] = [Date.parse(row.ChargePeriodStart), Date.parse(row.ChargePeriodEnd)];
    const fault = (path: string, message: string) =>
      issues.addIssue({ code: 'custom', path: [path], message });
    if (end <= start) fault('ChargePeriodEnd', 'must come after ChargePeriodStart');
    else if (Math.floor(start / DAY) !== Math.floor((end - 1) / DAY)) {
      fault('ChargePeriodEnd', 'must lie in the same day of UTC as ChargePeriodStart: send daily rows');
    }
    if ((row.ServiceProviderName ?? row.ProviderName ?? null) === null) {
      fault('ServiceProviderName', 'ServiceProviderName or ProviderName is required');
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

/** A sum of either sign, as a decimal string. */
const Sum = z.string().regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);

/**
 * Attributed against billed. `billed − attributed = unattributed + mixed + not_seen + under_recorded − over_attributed −
 * not_billed`, to the last digit, in every row and in the totals.
 */
export const Balance = z.object({
  invocations: z.int(),
  attributed_usd: Sum.meta({
    description: 'Known cost of records that name who spent it, shares of a division included',
  }),
  billed_usd: Sum.nullable().meta({ description: 'Usage on the bills; null when nothing was billed' }),
  difference_usd: Sum.nullable().meta({ description: 'billed − attributed; null when nothing was billed' }),
  unattributed_usd: Sum.meta({ description: 'Known cost of records that nobody was named for' }),
  mixed_usd: Sum.meta({
    description:
      'Known cost of groups in which somebody was named for some records and nobody for others, and which may not be split without showing the cost of fewer than five persons',
  }),
  not_seen_usd: Sum.meta({ description: 'Billed for days of a model of which there is no record at all' }),
  under_recorded_usd: Sum.meta({
    description:
      'Billed beyond what the records of the day say: calls that were not captured, not priced, or priced too low',
  }),
  over_attributed_usd: Sum.meta({
    description: 'Recorded beyond what was billed: list prices above yours, or credits',
  }),
  not_billed_usd: Sum.meta({
    description: 'Recorded for days of a model that no bill names: its bill is not in yet, or there is none',
  }),
  other_charges_usd: Sum.meta({ description: 'Purchases, taxes, credits and adjustments; not compared' }),
  unpriced_invocations: z.int().meta({ description: 'Records whose cost is unknown; they are in no sum' }),
  changed_since_bill: z.boolean().meta({
    description: 'Records came or changed after the newest row of the bill had come',
  }),
});
export type Balance = z.infer<typeof Balance>;

const suppressed = {
  suppressed_groups: z.int().meta({
    description:
      'Groups of provider and model, as far as `group_by` names them, that are folded here, each counted on every day on which it is',
  }),
  billed_until: z.iso.datetime().nullable().meta({ description: 'End of the newest charge on the bills' }),
};

export const ReconciliationTotals = Balance.extend(suppressed).meta({ id: 'ReconciliationTotals' });

export const ReconciliationRow = Balance.extend({
  kind: z.enum(['group', 'folded']).meta({
    description:
      'group: all of the provider, model and day it names, but for what is folded. folded: records that are shown only together, with all charges of the models and days they belong to; a provider or model that they do not share is left out',
  }),
  provider: z.string().optional().meta({ description: 'Left out where it is folded' }),
  model: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Null: charges that name no model. Left out where it is folded' }),
  day: z.iso
    .date()
    .optional()
    .meta({ description: 'By UTC. Records and charges of a day of few persons are counted on another' }),
  ...suppressed,
}).meta({ id: 'ReconciliationRow' });
export type ReconciliationRow = z.infer<typeof ReconciliationRow>;
