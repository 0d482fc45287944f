import { type MovingAliases, namedAt } from '../../usage/movingAliases.ts';
import type { OtherPrices, PriceSource } from '../priceSheet.ts';
import { withVersion } from '../rules/priceRules.ts';
import { statedKinds } from './sourceStatements.ts';

/**
 * Adds the prices of moving aliases: of the model that an alias named at the time of the call. While nobody knows whether
 * it had moved, the cost is a range over both models.
 */
export const aliasPrices = (aliases: MovingAliases, prices: PriceSource): PriceSource => ({
  find(provider, model, at, ...call) {
    const named = namedAt(aliases, provider, model, at);
    const sheet = named && prices.find(provider, named.model, at, ...call);
    if (named === null || sheet === null) return prices.find(provider, model, at, ...call);
    const older = named.before === null ? null : prices.find(provider, named.before, at, ...call);
    const others: OtherPrices[] =
      older === null
        ? []
        : [{ source: `${model} named ${named.before}`, prices: statedKinds(older), tiers: older.tiers }];
    return {
      ...sheet,
      match: sheet.match === 'family' ? 'family' : 'alias',
      catalogue: withVersion(sheet.catalogue, named.version),
      ...((sheet.others ?? others).length > 0 && { others: [...(sheet.others ?? []), ...others] }),
    };
  },
});
