import { listPrices } from '../../impact/price/lists/listPrices.ts';
import { modelIdentity } from '../../impact/usage/modelIdentity.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import type { TokenWeights } from './modelCalls.ts';

/**
 * The list prices of the tokens of a model at a moment, for calls that read so many tokens. Null if it has none. Tokens of a cache without a price of their own are
 * charged as input. Import this file dynamically: it contains the price catalogue.
 */
export const tokenWeights = (
  provider: string,
  servedModel: string,
  at: Date,
  contextTokens = 0,
): TokenWeights | null => {
  const identity = modelIdentity(provider, servedModel);
  const sheet = listPrices.prices.find(identity.provider, identity.model, at, contextTokens, identity.region);
  if (sheet === null) return null;
  const { input, cached_input: cached, cache_write: written, output } = sheet;
  const weight = (price: string | null) => (price === null ? null : decimal(price));
  return {
    uncached: weight(input),
    cached: weight(cached ?? input),
    written: weight(written ?? input),
    output: weight(output),
  };
};
