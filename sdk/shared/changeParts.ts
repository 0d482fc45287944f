import type { ChangeParts } from '../typescript/src/types.ts';

interface PartWords {
  readonly name: string;
  /** For a reader who asks why the cost changed. */
  readonly note: string;
}

/** What a change of the cost is divided into, in the order of the contract. */
export const partWords: Readonly<Record<keyof ChangeParts, PartWords>> = {
  volume_usd: {
    name: 'Number of calls',
    note: 'More or fewer calls, at the mean cost before',
  },
  mix_usd: {
    name: 'Models and providers',
    note: 'Other models and providers, at the mean cost of each',
  },
  tokens_usd: { name: 'Tokens of a call', note: 'Longer or shorter calls' },
  cache_usd: {
    name: 'Share from the cache',
    note: 'More or less of the input from the cache',
  },
  price_usd: {
    name: 'Prices, tiers and fees',
    note: 'Other prices, service tiers and fees',
  },
  undivided_usd: {
    name: 'Cannot be divided',
    note: 'Calls whose model is hidden, without tokens, or without a price',
  },
};

export type ChangePart = keyof ChangeParts;

const isPart = (name: string): name is ChangePart => Object.hasOwn(partWords, name);

export const PARTS: readonly ChangePart[] = Object.keys(partWords).filter(isPart);
