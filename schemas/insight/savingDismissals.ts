import * as z from 'zod';
import { Total } from '../ledger/rollup.ts';
import { DecimalString, freeText, label } from '../values.ts';

/** The kinds of suggestions that follow from stored sums. */
export const SAVING_KINDS = [
  'prompt_caching',
  'batch',
  'replacement_model',
  'failed_calls',
  'long_context',
  'idle_nodes',
] as const;
/** Suggestions that only callers see who may read single records: their figures are those of any calls. */
export const RECORD_SAVINGS: ReadonlySet<(typeof SAVING_KINDS)[number]> = new Set([
  'failed_calls',
  'long_context',
  'idle_nodes',
]);
/** Most dismissed suggestions of a tenant. Every report reads all of them. */
export const SAVING_DISMISSALS_MAXIMUM = 200;

/** A dismissed suggestion comes back when it saves this many times as much as it did when it was dismissed… */
export const DISMISSAL_GROWTH = '1.5';
/** …and at least so many USD in 30 days more, so that small amounts do not come back for cents. */
export const DISMISSAL_GROWTH_USD = '1';

export const DismissedKind = z.enum(['group', 'folded']).meta({
  description: 'As in the suggestion. folded: a group with a hidden name',
});

/** What a suggestion is about. Two suggestions that agree in all of it, and in the lane, are one. */
const suggestionMembers = {
  saving: z.enum(SAVING_KINDS),
  owner: label(256).nullable().optional().meta({ description: 'Null: no owner. Absent: hidden' }),
  service: label(256).nullable().optional().meta({ description: 'Null: no service. Absent: hidden' }),
  provider: label(128).optional(),
  served_model: label(256).optional(),
  replacement_model: label(256).optional().meta({ description: 'The `model` of `replacement`' }),
  pool: label(256).optional().meta({ description: 'Of idle_nodes' }),
};

interface Named {
  readonly saving: (typeof SAVING_KINDS)[number];
  readonly served_model?: string | undefined;
  readonly replacement_model?: string | undefined;
  readonly pool?: string | undefined;
}
const isComplete = ({ saving, served_model, replacement_model, pool }: Named): boolean =>
  (saving === 'idle_nodes') === (pool !== undefined) &&
  (saving === 'idle_nodes') === (served_model === undefined) &&
  (saving === 'replacement_model') === (replacement_model !== undefined);

const Reason = freeText(512);

export const SavingDismissalRequest = z
  .strictObject({
    ...suggestionMembers,
    kind: DismissedKind.optional().meta({ description: 'Default: group' }),
    high_usd: DecimalString.meta({ description: '`high_usd` of the suggestion, as it was shown' }),
    reason: Reason,
  })
  .refine(isComplete, {
    message:
      'must name the pool of idle_nodes, or else the model, and that of replacement_model instead of it',
    path: ['saving'],
  })
  .meta({
    id: 'SavingDismissalRequest',
    example: {
      saving: 'batch',
      owner: 'team-support',
      service: 'support-copilot',
      provider: 'openai',
      served_model: 'gpt-4o',
      high_usd: '120.5',
      reason: 'Customers wait for the answers',
    },
  });

export const SavingDismissal = z
  .object({
    id: z.string(),
    ...suggestionMembers,
    kind: DismissedKind,
    high_usd: Total.meta({ description: 'What it saved at most in 30 days when it was dismissed' }),
    reason: z.string(),
    residency: z.string().nullable().meta({ description: 'The lane whose suggestion it is. Null: all' }),
    dismissed_by: z.string(),
    dismissed_at: z.iso.datetime(),
  })
  .meta({ id: 'SavingDismissal' });
export type SavingDismissal = z.infer<typeof SavingDismissal>;

/** The dismissal of a suggestion, beside it in the report. */
export const DismissedSaving = SavingDismissal.pick({
  id: true,
  high_usd: true,
  reason: true,
  dismissed_by: true,
  dismissed_at: true,
})
  .extend({
    has_grown: z.boolean().meta({
      description: `Whether it saves at least ${DISMISSAL_GROWTH} times as much since, and ${DISMISSAL_GROWTH_USD} USD more: it is suggested again`,
    }),
  })
  .meta({ id: 'DismissedSaving' });
