import type { PriceObject } from '../../../../schemas/attribution/loadedPrices.ts';
import type { PriceRules } from './priceRules.ts';
import { publishedRules } from './publishedRules.ts';

/** The rules of the service below those that operators loaded, the newest first. */
export const withLoadedRules = (rules: PriceRules, loads: PriceObject['loads']): PriceRules => {
  const loaded = (section: 'tiers' | 'places') =>
    loads
      .toReversed()
      .flatMap(({ version, prices }) => prices[section].map((rule) => ({ ...rule, version })));
  return {
    ...rules,
    tiers: [...loaded('tiers'), ...rules.tiers],
    places: [...loaded('places'), ...rules.places],
  };
};

/** The rules in force, with the prices that operators loaded. */
export const rulesWith = (loaded: PriceObject | null): PriceRules =>
  loaded === null ? publishedRules : withLoadedRules(publishedRules, loaded.loads);
