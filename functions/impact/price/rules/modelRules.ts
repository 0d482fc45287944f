import type { ModelRule } from '../../../../schemas/attribution/publishedPrices.ts';
import { type PricedKind, pricedKinds } from '../../../../schemas/attribution/unitPrices.ts';
import { type PriceBand, type PriceBands, timesFactor } from '../priceBands.ts';
import type { UnitPrices } from '../priceSheet.ts';
import { type PriceRules, rulesOfModel } from './priceRules.ts';

const eachOf = (band: PriceBand, change: (prices: UnitPrices) => UnitPrices): PriceBand => ({
  ...band,
  prices: change(band.prices),
  tiers: Object.fromEntries(Object.entries(band.tiers).map(([tier, prices]) => [tier, change(prices)])),
});

const withKinds = (prices: UnitPrices, priceOf: (kind: PricedKind) => string | null): UnitPrices => ({
  ...prices,
  ...Object.fromEntries(pricedKinds.map((kind) => [kind, priceOf(kind)])),
});

/** The price of the first kind that has one, times its ratio. */
const inRatio = (listed: UnitPrices, ratios: Partial<Record<PricedKind, string>>): string | null => {
  for (const kind of pricedKinds) {
    const ratio = ratios[kind];
    if (ratio !== undefined && listed[kind] !== null) return timesFactor(listed[kind], ratio);
  }
  return null;
};

const applied = (bands: PriceBands, rule: ModelRule): PriceBands => {
  const { above_tokens: above, factors = {}, ratios = {}, prices = {}, request, search } = rule;
  const complete = (band: PriceBand): PriceBand =>
    eachOf(band, (listed) =>
      withKinds(listed, (kind) => {
        if (kind === 'request' && request !== undefined) return request.low;
        if (kind === 'search' && search !== undefined) return listed.search ?? search.low;
        return listed[kind] ?? prices[kind] ?? inRatio(listed, ratios[kind] ?? {});
      }),
    );
  const [first, ...longer] = bands;
  const isBanded = above === undefined || longer.length > 0;
  const added: PriceBand[] = isBanded
    ? []
    : [
        {
          ...eachOf(first, (listed) =>
            withKinds(listed, (kind) => {
              const factor = factors[kind];
              return factor === undefined ? listed[kind] : timesFactor(listed[kind], factor);
            }),
          ),
          above,
        },
      ];
  return [complete(first), ...longer.map(complete), ...added];
};

/** The bands of a model with what its vendor publishes as a rule, where a price table leaves it out. */
export const withModelRules = (
  { models }: PriceRules,
  provider: string,
  model: string,
  bands: PriceBands,
): PriceBands => rulesOfModel(models, provider, model).reduce(applied, bands);

/** The highest fee per million requests or searches of a model whose fee depends on what events do not report. */
export const feeHighOf = (
  { models }: PriceRules,
  fee: 'request' | 'search',
  provider: string,
  model: string,
): string | undefined =>
  rulesOfModel(models, provider, model).findLast((rule) => rule[fee] !== undefined)?.[fee]?.high;
