import { STANDARD_NAMES } from '../../../impact/price/rules/serviceTier.ts';

/**
 * Words of a meter that give its tokens another price: service tiers, cache writes for one hour (`1h`), and long context
 * windows. `batch` is one of them.
 */
export const TIER_WORDS: ReadonlySet<string> = new Set([
  'batch',
  'flex',
  'priority',
  'fast',
  '1h',
  'long',
  'context',
]);

/** A longer text would make a day too large to store. */
const LENGTH_MAXIMUM = 24;

/** The name of a tier as it is stored. Null for the standard tier. */
export const billTier = (name: string): string | null => {
  const tier = name.trim().toLowerCase();
  return STANDARD_NAMES.has(tier.replaceAll(' ', '_')) ? null : tier.slice(0, LENGTH_MAXIMUM);
};

export const isBatch = (tier: string): boolean => /\bbatch\b/.test(tier);
