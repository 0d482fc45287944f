import type { ContractPrice } from '../../../../sdk/typescript/src/types.ts';
import { isoDay } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import type { Entries } from '../../forms/entries.ts';

/** The kinds of tokens and requests that have a price of their own. */
export const KINDS = ['input', 'cached_input', 'cache_write', 'output', 'reasoning', 'request'] as const;

/** The prices of an entry in words. */
export const pricesText = (price: ContractPrice): string =>
  KINDS.flatMap((kind) => (price[kind] === undefined ? [] : [`${wordFor(kind)} ${price[kind]}`])).join(' · ');

/** What makes two entries the same: the service refuses a list that has one of them twice. */
export const keyOfPrice = ({ provider, model, region, from }: ContractPrice): string =>
  JSON.stringify([provider, model, region ?? null, Date.parse(from)]);

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
