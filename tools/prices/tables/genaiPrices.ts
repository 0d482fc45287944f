import { CATALOGUE_KINDS } from '../../../functions/impact/price/lists/cataloguePrices.ts';
import { type PricedKind, pricedKinds } from '../../../schemas/attribution/unitPrices.ts';
import { ExactNumber, integerOf, memberOf, membersOf, textOf } from './exactNumbers.ts';
import { PriceCollector, type TablePrice, tablePriceOf } from './tablePrice.ts';

const KINDS: ReadonlyMap<string, PricedKind> = new Map(
  pricedKinds.flatMap((kind) => {
    const name = CATALOGUE_KINDS[kind];
    // A price per second is no multiple of one per hour.
    return name === undefined || name.endsWith('_hours') ? [] : [[name, kind] as const];
  }),
);

const addPrice = (collector: PriceCollector, name: string, value: unknown): void => {
  const kind = KINDS.get(name);
  if (kind === undefined) {
    collector.leaveOut(name);
    return;
  }
  const units = /_k(?:count|pages)$/.test(name) ? '1000' : '1';
  const add = (price: unknown, above?: number): void => {
    if (price instanceof ExactNumber) collector.add(name, price, units, { kind, above });
    else collector.leaveOut(name);
  };
  add(value instanceof ExactNumber ? value : memberOf(value, 'base'));
  const tiers = memberOf(value, 'tiers');
  for (const tier of Array.isArray(tiers) ? tiers : []) {
    add(memberOf(tier, 'price'), integerOf(memberOf(tier, 'start')));
  }
};

/** The prices of a day. Of prices with dates, the newest that has begun. */
const pricesOn = (day: string, prices: unknown, collector: PriceCollector): unknown => {
  if (!Array.isArray(prices)) return prices;
  const begun = prices.filter((entry) => {
    const constraint = memberOf(entry, 'constraint');
    if (memberOf(constraint, 'start_time') !== undefined) collector.leaveOut('constraint.start_time');
    return (
      (textOf(constraint, 'start_date') ?? '') <= day && memberOf(constraint, 'start_time') === undefined
    );
  });
  return memberOf(begun.at(-1), 'prices');
};

/** https://github.com/pydantic/genai-prices, data.json: a list of providers with their models. */
export const fromGenaiPrices = (table: readonly unknown[], day: string): TablePrice[] =>
  table.flatMap((provider) => {
    const models = memberOf(provider, 'models');
    return (Array.isArray(models) ? models : []).flatMap((model) => {
      const collector = new PriceCollector();
      for (const [name, value] of membersOf(pricesOn(day, memberOf(model, 'prices'), collector))) {
        addPrice(collector, name, value);
      }
      return tablePriceOf(textOf(provider, 'id') ?? '', textOf(model, 'id') ?? '', collector);
    });
  });
