import { magnitude } from '../../../../sdk/shared/decimal.ts';
import type { Saving } from '../../../../sdk/typescript/src/types.ts';
import { formatAmount, formatCount, formatRange, formatShare, formatUsd } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';

/** What to do, in plain words. */
export const titleOf = ({ saving, replacement, pool }: Saving): string => {
  switch (saving) {
    case 'prompt_caching':
      return 'Cache what the prompts have in common';
    case 'batch':
      return 'Send the calls as batches';
    case 'replacement_model':
      return `Use ${replacement?.model ?? 'the recommended model'} instead`;
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
    ? `between ${energy(low)} more and ${energy(high)} less`
    : `${formatRange(high.replace('-', ''), low.replace('-', ''), 'energy')} more`;
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
  evidence: ['Sign that nobody waits', asIs],
  list_usd: ['Cost by the price list', formatUsd],
  batch_of_list: ['Batch price, of the list price', share],
  paid_of_list: ['You paid, of the list price', share],
  replacement_list_usd: ['Cost of the other model by the list', formatUsd],
  most_tokens: ['Times as many tokens, at most', asIs],
  idle_usd: ['Idle in the period', formatUsd],
  hours: ['Hours of the pool', count],
};

/** The figures of the computation in words. One that is not listed is shown as it is. */
export const figuresOf = ({ basis }: Pick<Saving, 'basis'>): readonly (readonly [string, string])[] =>
  Object.entries(basis).map(([name, value]) => {
    const [label, format] = figures[name] ?? [wordFor(name), asIs];
    return [label, format(value)];
  });
