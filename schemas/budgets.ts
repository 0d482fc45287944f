import * as z from 'zod';
import { Total } from './rollup.ts';
import { DecimalString, label } from './values.ts';

/** Budgets a tenant may have: each is held against spend whenever that changes. */
export const BUDGETS_MAXIMUM = 200;
const TAGS_MAXIMUM = 20;

/** Percent of the ceiling that are told of, ascending. */
export const thresholds = [75, 100, 150] as const;
export const Threshold = z.union(thresholds.map((percent) => z.literal(percent)));
export type Threshold = z.infer<typeof Threshold>;

export const BudgetPeriod = z.enum(['month', 'quarter', 'rolling_30d']);
export type BudgetPeriod = z.infer<typeof BudgetPeriod>;

export const BudgetScope = z
  .strictObject({
    owner: label(256).optional().meta({ example: 'team-search' }),
    service: label(256).optional(),
    provider: label(256).optional().meta({ example: 'openai' }),
    tags: z
      .array(label(64))
      .min(1)
      .max(TAGS_MAXIMUM)
      .refine((tags) => new Set(tags).size === tags.length, 'must name each tag once')
      .optional()
      .meta({ description: 'A call counts when it carries all of them' }),
  })
  .meta({
    id: 'BudgetScope',
    description: 'What a call must match to count; without members, every call does',
  });
export type BudgetScope = z.infer<typeof BudgetScope>;

/** The members of a budget that whoever writes it chooses. */
export const budgetMembers = {
  name: label(128),
  ceiling_usd: DecimalString.refine((text) => /[1-9]/.test(text), 'must be more than 0').meta({
    description: 'What may be spent in a period, in USD',
    example: '5000',
  }),
  period: BudgetPeriod.meta({
    description:
      'Calendar months and quarters of UTC, or the last 30 whole days of UTC, the current one included',
  }),
  scope: BudgetScope,
};

/** A stretch of time: `from` included, `to` not. */
export const Between = z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).meta({ id: 'Between' });
export type Between = z.infer<typeof Between>;

/** A budget as it is stored. */
export const Budget = z.object({
  id: z.string(),
  ...budgetMembers,
  residency: z.string().nullable().meta({
    description: 'The lane whose spend counts: that of the credential that made it; null: every lane',
  }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  created_by: z.string().meta({ description: 'Id of the key, client or user' }),
});
export type Budget = z.infer<typeof Budget>;

/** A budget with where it stands. */
export const BudgetRecord = Budget.extend({
  current_period: Between,
  period_to_date_usd: Total.meta({ description: 'Spent in the current period, as far as prices are known' }),
  unpriced_invocations: z.int().meta({
    description: 'Calls of the current period without a known price: their cost is in no figure here',
  }),
  forecast_usd: Total.nullable().meta({
    description:
      'What the period will have cost by its end: spent so far, and for each day left the mean of that weekday in the last 28 days, or of all days known where these are fewer or mostly idle. Null before three whole days are known',
  }),
  crossed: z
    .array(Threshold)
    .meta({ description: 'Percent of the ceiling that were crossed in the current period, ascending' }),
  as_of: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the newest of the sums was computed; null before there is any' }),
}).meta({ id: 'Budget' });
export type BudgetRecord = z.infer<typeof BudgetRecord>;
