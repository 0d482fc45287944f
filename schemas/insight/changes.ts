import * as z from 'zod';
import { Difference } from '../ledger/rollup.ts';
import { AnswerStates, PreviousTotals, ReportPeriod, rowHeader, Sum, unknownNote } from './reports.ts';

/** The parts of a change of cost, in the order in which they are explained. */
export const CHANGE_PARTS = [
  'volume_usd',
  'mix_usd',
  'tokens_usd',
  'cache_usd',
  'price_usd',
  'undivided_usd',
] as const;
export type ChangePart = (typeof CHANGE_PARTS)[number];

const meanings: Record<ChangePart, string> = {
  volume_usd: 'More or fewer calls, at the mean cost of a call before',
  mix_usd: 'Other providers and models, at the mean cost of a call of each before. A new model: at its cost',
  tokens_usd: 'More or fewer tokens in a call, at the cost of a token before',
  cache_usd: 'Another share of the input read from or written to a cache',
  price_usd: 'The rest: list price, contract, service tier, fees',
  undivided_usd:
    'Calls whose model is hidden, and changes of the cost of a call of models without a price, without tokens, or with calls of unknown cost',
};

const member = (part: ChangePart) => Difference.meta({ description: meanings[part] });

export const ChangeParts = z
  .object({
    volume_usd: member('volume_usd'),
    mix_usd: member('mix_usd'),
    tokens_usd: member('tokens_usd'),
    cache_usd: member('cache_usd'),
    price_usd: member('price_usd'),
    undivided_usd: member('undivided_usd'),
  })
  .meta({ id: 'ChangeParts', description: 'Parts of `change_usd`. They sum exactly to it' });
export type ChangeParts = z.infer<typeof ChangeParts>;

const Side = PreviousTotals.pick({ invocations: true, unpriced_invocations: true })
  .extend({
    invocations_maximum: z.int().meta({ description: 'With hidden calls' }),
    cost_usd: Sum.meta({
      description: `${unknownNote} or hidden`,
    }),
    cost_usd_maximum: Sum,
    owner_states: AnswerStates,
  })
  .meta({ id: 'ChangeSide' });

const ChangeRange = z.object({ low: Difference, high: Difference }).meta({
  id: 'ChangeRange',
  description: 'With hidden calls. Null if a period has no known cost',
});

const changeSums = {
  current: Side,
  previous: Side,
  change_usd: Difference.nullable().meta({
    description: 'Difference of both costs. Null if one is null',
  }),
  change_range_usd: ChangeRange.nullable(),
  parts: ChangeParts.nullable().meta({ description: 'Null without a change' }),
};

export const ChangeTotals = z.object(changeSums).meta({ id: 'ChangeTotals' });
export type ChangeTotals = z.infer<typeof ChangeTotals>;

export const ChangeRow = z
  .object(rowHeader)
  .omit({ day: true, hour: true, interval_start: true })
  .extend(changeSums)
  .meta({ id: 'ChangeRow' });

/** The period before that a report of changes compares with. */
export const ComparedPeriod = z
  .object({
    period: ReportPeriod,
    undetermined_invocations: z.int(),
    complete: z.boolean(),
  })
  .meta({ id: 'ComparedPeriod', description: 'As `previous` of the usage report' });

export type ChangeSide = z.infer<typeof Side>;

/** Most price changes of a report. Few models change their price, and none does every day. */
export const PRICE_CHANGES_MAXIMUM = 100;

/** USD per million tokens of each kind. */
const ListedTokenPrices = z
  .object({ uncached_input: Sum, cached_input: Sum, cache_write: Sum, output: Sum })
  .meta({ id: 'ListedTokenPrices', description: 'USD per million tokens. Null: no price of its own' });

export const PriceChange = z
  .object({
    at: z.iso.datetime(),
    provider: z.string(),
    served_model: z.string(),
    before: ListedTokenPrices,
    now: ListedTokenPrices,
  })
  .meta({ id: 'PriceChange' });
export type PriceChange = z.infer<typeof PriceChange>;
