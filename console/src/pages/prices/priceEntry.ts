import type { ContractPrice, PriceBand } from '../../../../sdk/typescript/src/types.ts';
import { listOf } from '../../api/listOf.ts';
import { formatCount } from '../../format/amount.ts';
import { isoDay } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import type { Entries } from '../../forms/entries.ts';

/** The kinds of tokens and of other usage that have a price of their own. */
export const KINDS = listOf<Exclude<keyof PriceBand, 'above_tokens'>>()([
  'input',
  'cached_input',
  'cache_write',
  'cache_write_1h',
  'output',
  'reasoning',
  'audio_input',
  'cached_audio_input',
  'audio_output',
  'image_input',
  'cached_image_input',
  'image_output',
  'request',
  'search',
  'file_search',
  'code_execution',
  'rerank_search',
  'audio_second',
  'video_second',
  'image',
  'page',
  'character',
]);
const TIERS = ['batch', 'flex', 'priority'] as const;

type KindPrices = Pick<ContractPrice, (typeof KINDS)[number]>;
const kindsText = (prices: KindPrices): string =>
  KINDS.flatMap((kind) => (prices[kind] === undefined ? [] : [`${wordFor(kind)} ${prices[kind]}`])).join(
    ' · ',
  );

const bandedTexts = (prices: Pick<ContractPrice, 'bands'> & KindPrices): readonly string[] => [
  kindsText(prices),
  ...(prices.bands ?? []).map((band) => `above ${formatCount(band.above_tokens)} tokens: ${kindsText(band)}`),
];

/** The prices of an entry in words. */
export const pricesText = (price: ContractPrice): string =>
  [
    ...bandedTexts(price),
    ...TIERS.flatMap((tier) => {
      const prices = price[tier];
      return prices === undefined ? [] : [`${wordFor(tier)}: ${bandedTexts(prices).join('; ')}`];
    }),
  ].join('; ');

/** The prices for which the form has no fields. They stay as they are when an entry is changed. */
const otherPricesOf = ({ bands, batch, flex, priority, billing_mode }: ContractPrice) => ({
  ...(billing_mode !== undefined && { billing_mode }),
  ...(bands !== undefined && { bands }),
  ...(batch !== undefined && { batch }),
  ...(flex !== undefined && { flex }),
  ...(priority !== undefined && { priority }),
});

export const hasOtherPrices = (price: ContractPrice): boolean => Object.keys(otherPricesOf(price)).length > 0;

/** What makes two entries the same: the service refuses a list that has one of them twice. */
export const keyOfPrice = ({ provider, model, region, billing_mode, from }: ContractPrice): string =>
  JSON.stringify([provider, model, region ?? null, billing_mode ?? 'metered', Date.parse(from)]);

/** The UTC day on which an entry starts. */
export const firstDayOf = ({ from }: ContractPrice): string => isoDay(Date.parse(from));

/** The entry that a form describes. It starts with a UTC day, unless `before` starts within that day. */
export const priceOf = (entries: Entries, before?: ContractPrice): ContractPrice => ({
  provider: entries.text('provider'),
  model: entries.text('model'),
  from:
    before !== undefined && entries.text('from') === firstDayOf(before)
      ? before.from
      : `${entries.text('from')}T00:00:00Z`,
  ...entries.optional('region'),
  ...entries.optional('source'),
  ...Object.assign({}, ...KINDS.map((kind) => entries.optional(kind))),
  ...(before !== undefined && otherPricesOf(before)),
});

/** The list with an entry in place of another, or in addition if `replaced` is empty. */
export const withPrice = (
  prices: readonly ContractPrice[],
  price: ContractPrice,
  replaced: string,
): ContractPrice[] => [
  ...prices.filter((each) => keyOfPrice(each) !== replaced && keyOfPrice(each) !== keyOfPrice(price)),
  price,
];

export const withoutPrice = (prices: readonly ContractPrice[], key: string): ContractPrice[] =>
  prices.filter((price) => keyOfPrice(price) !== key);
