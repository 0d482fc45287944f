import * as z from 'zod';
import { AnswerState } from '../attribution/attributionRecord.ts';
import { Warnings } from '../fieldError.ts';
import { Total } from '../ledger/rollup.ts';
import { AnsweredTimeZone } from '../tenants/timeZone.ts';
import { distinct, label, PositiveDecimal } from '../values.ts';
import { forecastMembers } from './forecast.ts';
import { MIXED } from './reports.ts';

/** The log message of a budget that could not be compared with its spend. An alarm counts it. */
export const NOT_EVALUATED = 'budget not evaluated';

/** Most budgets of a tenant. Each is evaluated on every change of spend. */
export const BUDGETS_MAXIMUM = 200;
const TAGS_MAXIMUM = 20;

/** Notification thresholds in percent of the ceiling, ascending, of a budget that states none. */
export const DEFAULT_THRESHOLDS = [75, 100, 150];
const THRESHOLDS_MAXIMUM = 10;
/** A notification threshold in percent of the ceiling. */
export const Threshold = z.int().min(1).max(1_000);

/** How sure it is that the spend will reach a threshold by the end of the period. */
export const Likelihood = z.enum(['possible', 'likely']).meta({
  description:
    'possible: the high end of the forecast range reaches the threshold. likely: the low end does too, so about 19 of 20 outcomes do',
});
export type Likelihood = z.infer<typeof Likelihood>;

export const BudgetPeriod = z.enum(['month', 'quarter', 'rolling_30d']);
export type BudgetPeriod = z.infer<typeof BudgetPeriod>;

/** The members of a scope that name one label of calls each. */
export const SCOPE_LABELS = ['owner', 'service', 'provider', 'served_model', 'region'] as const;

export const BudgetScope = z
  .strictObject({
    owner: label(256).optional().meta({ example: 'team-search' }),
    service: label(256).optional(),
    provider: label(256).optional().meta({ example: 'openai' }),
    served_model: label(256).optional().meta({ example: 'gpt-4o' }),
    region: label(256)
      .optional()
      .meta({ description: 'Cloud region that served the calls', example: 'eu-west-1' }),
    tags: distinct(z.array(label(64)).min(1).max(TAGS_MAXIMUM), 'must not repeat a tag')
      .meta({
        id: 'BudgetTags',
        description:
          'A call must carry all of these tags. Totals of a tag are kept from the first budget that names it. Those of earlier calls of the period are added within minutes, and until then the spend lacks them',
      })
      .optional(),
  })
  .meta({
    id: 'BudgetScope',
    description:
      'Filters of the calls that count towards the budget. A call must match all of them. An empty scope matches every call',
  });
export type BudgetScope = z.infer<typeof BudgetScope>;

const thresholdsOf = (minimum: number) =>
  distinct(z.array(Threshold).min(minimum).max(THRESHOLDS_MAXIMUM), 'must not repeat a threshold');

/** The members of a budget that the client sets. */
export const budgetMembers = {
  name: label(128),
  ceiling_usd: PositiveDecimal.meta({
    description: 'Spending limit of a period, in USD',
    example: '5000',
  }),
  period: BudgetPeriod.meta({
    id: 'BudgetPeriod',
    description:
      'Calendar month or quarter, or the last 30 days including today, in the time zone of the tenant',
  }),
  scope: BudgetScope,
  thresholds: thresholdsOf(1).meta({
    description: 'Percentages of the ceiling at which the budget alerts',
    example: [50, 80, 100],
  }),
  forecast_thresholds: thresholdsOf(0).meta({
    description: 'Percentages of the ceiling at which the budget alerts when its forecast reaches them',
    example: [100],
  }),
};

/** A time range: `from` is inclusive, `to` exclusive. */
export const Between = z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).meta({ id: 'Between' });
export type Between = z.infer<typeof Between>;

/** Which calls a budget sums. */
export const BudgetBasis = z.enum(['records', 'cohorts']).meta({
  id: 'BudgetBasis',
  description:
    'records: every call in the scope, because the credential that created the budget had read:attribution. Only callers with that scope see its figures. cohorts: the calls that the usage report shows under the same owner, service and provider, where groups of fewer than five persons are suppressed. Only callers with read:reporting see its figures',
});
export type BudgetBasis = z.infer<typeof BudgetBasis>;

/** The stored members of a budget. */
export const Budget = z.object({
  id: z.string(),
  ...budgetMembers,
  thresholds: z.array(Threshold).default(DEFAULT_THRESHOLDS).meta({
    description: 'Percentages of the ceiling at which the budget alerts, ascending',
  }),
  forecast_thresholds: z.array(Threshold).default([]).meta({
    description:
      'Percentages of the ceiling at which the budget alerts when its forecast reaches them, ascending',
  }),
  residency: z.string().nullable().meta({
    description:
      'The data-residency lane whose spend counts: the lane of the credential that created the budget. Null: all lanes',
  }),
  basis: BudgetBasis,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  created_by: z.string().meta({ description: 'Id of the key, client or user' }),
});
export type Budget = z.infer<typeof Budget>;

const FIGURES =
  'The figures are null in the answer to a change, which is evaluated afterwards, and if the caller lacks the scope that reads them: read:reporting for a budget that counts cohorts, read:attribution for one that counts records';

/** A spend by the state of the owner. */
export const SpendByState = z.partialRecord(z.enum([...AnswerState.options, MIXED]), Total);
export type SpendByState = z.infer<typeof SpendByState>;

const SpendByOwnerState = SpendByState.nullable().meta({
  id: 'SpendByOwnerState',
  description:
    'The same spend in USD by the state of the owner, as owner_states of the usage report. States without calls are absent.',
});

/** Most periods that a response covers. */
export const BUDGET_PERIODS_MAXIMUM = 12;

/** A period of a budget that has ended, or the current one. */
export const BudgetPeriodRecord = z
  .object({
    time_zone: AnsweredTimeZone,
    period: Between,
    is_current: z.boolean(),
    spent_usd: Total.nullable().meta({
      description: 'Spend of the period. Calls without a known price are not included.',
    }),
    spent_by_owner_state: SpendByOwnerState,
    unpriced_invocations: z
      .int()
      .nullable()
      .meta({ description: 'Calls of the period without a known price.' }),
    reached: z.array(Threshold).nullable().meta({
      description:
        'Thresholds of the present ceiling that the spend reaches, in percent, ascending. An alert may have been raised under another ceiling, or never.',
    }),
    as_of: z.iso.datetime().nullable().meta({
      description:
        'When the newest usage data of the period was aggregated. Null without usage, and if nothing is known about pending changes.',
    }),
  })
  .meta({ id: 'BudgetPeriodRecord', description: FIGURES });
export type BudgetPeriodRecord = z.infer<typeof BudgetPeriodRecord>;

/** A budget with its status in the current period. */
export const BudgetRecord = Budget.extend({
  time_zone: AnsweredTimeZone,
  current_period: Between,
  period_to_date_usd: Total.nullable().meta({
    description: 'Spend of the current period. Calls without a known price are not included.',
  }),
  spent_by_owner_state: SpendByOwnerState,
  unpriced_invocations: z.int().nullable().meta({
    description: 'Calls of the current period without a known price. No amount of this budget includes them.',
  }),
  ...forecastMembers,
  crossed: z.array(Threshold).nullable().meta({
    description: 'Thresholds crossed in the current period, in percent of the ceiling, ascending.',
  }),
  warnings: Warnings.nullable().meta({ description: 'Empty without calls' }),
  as_of: z.iso.datetime().nullable().meta({
    description:
      'When the newest usage data of the period was aggregated. If a change of the records is not in it yet, the time of that change: the figures are complete up to then. Null before there is any, if nothing is known about pending changes, and where period_to_date_usd is null',
  }),
  stale: z.boolean().nullable().meta({
    description: 'Whether calls or changes from more than 90 seconds ago may be missing from the figures.',
  }),
}).meta({ id: 'Budget', description: FIGURES });
export type BudgetRecord = z.infer<typeof BudgetRecord>;
