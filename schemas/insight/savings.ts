import * as z from 'zod';
import { Difference, Total } from '../ledger/rollup.ts';
import { rowHeader } from './reports.ts';
import { DismissedSaving, SAVING_KINDS } from './savingDismissals.ts';

/** Longest period of the report, in days. */
export const SAVINGS_DAYS_MAXIMUM = 31;
/** The days of the month that amounts are for. */
export const SAVING_MONTH_DAYS = 30;
/** Fewer calls of a group show no pattern. */
export const SAVING_CALLS_MINIMUM = 100;

const { kind, owner, service, provider, served_model } = rowHeader;

/** What a suggestion has saved since the period before, or why that is unknown. */
export const RealisedSaving = z
  .object({
    low_usd: Total.nullable().meta({
      description: 'The least that the change saves in 30 days. Null: unknown. 0 to 0: nothing changed',
    }),
    high_usd: Total.nullable().meta({ description: 'The most' }),
    unknown: z
      .enum([
        'too_few_earlier_calls',
        'volume_changed',
        'price_changed',
        'unpriced_calls',
        'hidden_calls',
        'unexamined_calls',
      ])
      .nullable()
      .meta({
        id: 'RealisedUnknown',
        description: `too_few_earlier_calls: the period before has fewer than ${SAVING_CALLS_MINIMUM} calls of the group, or may lack calls. volume_changed: it could also be more or fewer calls. price_changed: a price changed in one of the periods. unpriced_calls: of a call the cost is unknown. hidden_calls: privacy hides which calls changed. unexamined_calls: calls were counted before their status or length was. Null: it is known`,
      }),
    previous_invocations: z.int().meta({ description: 'Calls of the period before that it rests on' }),
    invocations: z.int().meta({ description: 'Calls of the period that it rests on' }),
    basis: z.record(z.string(), z.string()).meta({ description: 'The figures of the computation, by name' }),
  })
  .meta({ id: 'RealisedSaving' });
export type RealisedSaving = z.infer<typeof RealisedSaving>;

export const Saving = z
  .object({
    saving: z.enum(SAVING_KINDS).meta({
      description:
        'prompt_caching: long inputs, few of them cached. batch: nobody seems to wait for the calls, and they cost more than a batch or the flex tier. replacement_model: the provider recommends another model, which is cheaper. failed_calls: calls that failed or were cut off, and cost something; needs read:attribution. long_context: calls that read just more tokens than those up to which a lower price applies; needs read:attribution. idle_nodes: hours of own nodes that no call used',
    }),
    kind,
    owner,
    service,
    provider,
    served_model,
    pool: z.string().optional(),
    replacement: z
      .object({
        model: z.string(),
        source: z.string().meta({ description: 'Where the provider recommends it' }),
        checked: z.iso.date(),
      })
      .optional()
      .meta({ description: 'No claim about its answers' }),
    low_usd: Total.meta({ description: 'The least that it saves in 30 days' }),
    high_usd: Total.meta({ description: 'The most' }),
    energy_wh: z.object({ low: Difference, high: Difference }).nullable().meta({
      description: 'In 30 days. Negative: it needs more. Null: unknown',
    }),
    confidence: z.enum(['low', 'medium']).meta({
      description: 'low: also from a judgement about what calls have in common or can wait for',
    }),
    invocations: z.int(),
    cost_usd: Total.meta({ description: 'Of the calls that it rests on' }),
    basis: z.record(z.string(), z.string()).meta({
      description: 'The figures of the computation, by name',
    }),
    verify: z.string().meta({ description: 'How to check it' }),
    realised: RealisedSaving.meta({
      description: 'What was saved since the period before, as compare=previous_period has it',
    }),
  })
  .meta({ id: 'ComputedSaving' });
export type Saving = z.infer<typeof Saving>;

/** A suggestion as the report shows it. */
export const ReportedSaving = Saving.extend({
  dismissal: DismissedSaving.nullable().meta({ description: 'Null: it was not dismissed' }),
}).meta({ id: 'Saving' });
export type ReportedSaving = z.infer<typeof ReportedSaving>;
