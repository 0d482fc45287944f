import file from './priceRules.json' with { type: 'json' };
import type { PriceRules } from './priceRules.ts';

/** The rules that this version of the service was built with. */
export const publishedRules: PriceRules = file;
