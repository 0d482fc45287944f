import { magnitude } from '../../../../sdk/shared/decimal.ts';
import type { Saving } from '../../../../sdk/typescript/src/types.ts';
import { formatAmount, formatCount, formatRange, formatShare, formatUsd } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';

/** What to do, in plain words. */
export const titleOf = ({
  saving,
  replacement,
  pool,
  basis,
}: Pick<Saving, 'saving' | 'replacement' | 'pool' | 'basis'>): string => {
  switch (saving) {
    case 'prompt_caching':
      return 'Cache what prompts share';
    case 'batch':
      return basis['flex_of_list'] === undefined
        ? 'Send the calls as batches'
        : 'Send the calls as batches, or at the flex tier';
    case 'replacement_model':
      return `Use ${replacement?.model ?? 'the recommended model'} instead`;
    case 'failed_calls':
      return 'Reduce calls that fail and cost something';
    case 'long_context':
      return 'Shorten calls just above a higher price';
    default:
      return `Release idle nodes of ${pool ?? 'the pool'}`;
  }
};

const energy = (amount: string): string => formatAmount(amount.replace('-', ''), 'energy');

/** The energy of 30 days. Another model can need more. */
export const energyText = ({ energy_wh: range }: Pick<Saving, 'energy_wh'>): string => {
  if (range === null) return 'unknown';
  const { low, high } = range;
  if (magnitude(low) >= 0) return `${formatRange(low, high, 'energy')} less`;
  return magnitude(high) > 0
    ? `${energy(low)} more to ${energy(high)} less`
    : `${formatRange(high.replace('-', ''), low.replace('-', ''), 'energy')} more`;
};

const REASONS: Readonly<Record<NonNullable<Saving['realised']['unknown']>, string>> = {
  too_few_earlier_calls: 'the period before has fewer than 100 such calls, or is not known whole',
  volume_changed: 'it could also be more or fewer calls',
  price_changed: 'a price changed in the meantime',
  unpriced_calls: 'calls of unknown cost',
  hidden_calls: 'fewer than five people are hidden',
  unexamined_calls: 'older calls say too little',
};

/** What the suggestion has saved since the period before. Null if nothing changed. */
export const realisedText = ({
  realised: { low_usd: low, high_usd: high, unknown },
}: Pick<Saving, 'realised'>): string | null => {
  if (low === null || high === null)
    return `Saved already: unknown${unknown === null ? '' : `, ${REASONS[unknown]}`}`;
  return magnitude(high) === 0 ? null : `${formatRange(low, high, 'cost')} saved already`;
};

type Figure = readonly [label: string, format: (value: string) => string];

const asIs = (value: string): string => value;
const count = (value: string): string => formatCount(Number(value));
const share = (value: string): string => formatShare(Number(value));

const figures: Readonly<Record<string, Figure>> = {
  input_tokens: ['Input tokens', count],
  cached_input_tokens: ['Of them from a cache', count],
  minimum_tokens: ['Least tokens of a cached input', count],
  minimum_source: ['According to', asIs],
  target_share: ['Share that a cache could serve', share],
  target_basis: ['That share is from', asIs],
  more_cached_tokens: ['Tokens that are missing to it', count],
  input_usd_per_million: ['A million input tokens', formatUsd],
  cached_usd_per_million: ['A million cached tokens', formatUsd],
  written_for_each_read: ['Tokens written for each one read', asIs],
  evidence: [
    'Sign that nobody waits',
    (value) => (value.startsWith('pathway ') ? 'kind of traffic: batch pipelines' : value),
  ],
  list_usd: ['Cost by the price list', formatUsd],
  batch_of_list: ['Batch price, of the list price', share],
  flex_of_list: ['Price of the flex tier, of the list price', share],
  paid_of_list: ['You paid, of the list price', share],
  replacement_list_usd: ['Cost of the other model by the list', formatUsd],
  most_tokens: ['Times as many tokens, at most', asIs],
  idle_usd: ['Idle in the period', formatUsd],
  hours: ['Hours of the pool', count],
  failed_calls: ['Calls that failed or were cut off', count],
  paid_failed_calls: ['Of them paid', count],
  failed_usd: ['Their cost in the period', formatUsd],
  examined_calls: ['Calls whose status is known', count],
  band_ends_at_tokens: ['The lower price ends at, in input tokens', count],
  calls_above: ['Calls above it', count],
  calls_just_above: ['Of them at most a quarter longer', count],
  just_above_usd: ['What these cost in the period', formatUsd],
  due_to_price_usd: ['Of it due to the higher price', formatUsd],
  tokens_to_leave_out: ['Tokens to leave out of such a call, on average', count],
  input_usd_per_million_above: ['A million input tokens above it', formatUsd],
  just_above_share_before: ['Just above it in the period before', share],
  just_above_share_now: ['Just above it now', share],
  cached_share_before: ['From a cache in the period before', share],
  cached_share_now: ['From a cache now', share],
  paid_of_list_before: ['Paid of the list price in the period before', share],
  paid_of_list_now: ['Paid of the list price now', share],
  moved_calls: ['Calls that the other model took over', count],
  failed_share_before: ['Failed in the period before', share],
  failed_share_now: ['Failed now', share],
  idle_before: ['Idle in 30 days before', formatUsd],
  idle_now: ['Idle in 30 days now', formatUsd],
  pool_fall: ['The pool costs less in 30 days', formatUsd],
};

/** The figures of the computation in words. One that is not listed is shown as it is. */
export const figuresOf = (basis: Saving['basis']): readonly (readonly [string, string])[] =>
  Object.entries(basis).map(([name, value]) => {
    const [label, format] = figures[name] ?? [wordFor(name), asIs];
    return [label, format(value)];
  });
