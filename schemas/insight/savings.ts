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

export const Saving = z
  .object({
    saving: z.enum(SAVING_KINDS).meta({
      description:
        'prompt_caching: long inputs, few of them cached. batch: nobody seems to wait for the calls, and they cost more than a batch. replacement_model: the provider recommends another model, which is cheaper. idle_nodes: hours of own nodes that no call used',
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
    realised_usd: Total.nullable().meta({
      description: 'What a higher cached share than in the period before saves in 30 days. Null: unknown',
    }),
  })
  .meta({ id: 'ComputedSaving' });
export type Saving = z.infer<typeof Saving>;

/** A suggestion as the report shows it. */
export const ReportedSaving = Saving.extend({
  dismissal: DismissedSaving.nullable().meta({ description: 'Null: it was not dismissed' }),
}).meta({ id: 'Saving' });
export type ReportedSaving = z.infer<typeof ReportedSaving>;
