import type { ChangeParts } from '../../../../sdk/typescript/src/types.ts';
import { listOf } from '../../api/listOf.ts';

/** What a change of the cost is divided into. */
export const PARTS = listOf<keyof ChangeParts>()([
  'volume_usd',
  'mix_usd',
  'tokens_usd',
  'cache_usd',
  'price_usd',
  'undivided_usd',
]);

export const partNames: Readonly<Record<keyof ChangeParts, string>> = {
  volume_usd: 'Number of calls',
  mix_usd: 'Models and providers',
  tokens_usd: 'Tokens of a call',
  cache_usd: 'Share from the cache',
  price_usd: 'Prices, tiers and fees',
  undivided_usd: 'Cannot be divided',
};
