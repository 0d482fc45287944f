import type { UsageTotals } from '../../../sdk/typescript/src/types.ts';
import { shareOf, sum } from '../format/decimal.ts';
import { wordFor } from '../format/words.ts';

export interface BandShare {
  readonly band: string;
  readonly label: string;
  readonly note: string;
  readonly cost: string | null;
  readonly share: number;
  readonly fill: { readonly kind: 'named' | 'folded'; readonly color: string };
}

const BANDS = [
  { band: 'chargeback_ready', note: 'Confidence of 0.80 or more', color: 'var(--sure-3)' },
  { band: 'provisional', note: 'Likely, and not yet enough to charge', color: 'var(--sure-2)' },
  { band: 'estimated', note: 'Nobody is named, or only guessed', color: 'var(--sure-1)' },
  { band: 'mixed', note: 'Single bands would show fewer than five people', color: 'var(--c-folded)' },
] as const;

type Bands = UsageTotals['confidence_bands'];

/** The spend of each confidence band, and its share of the spend of all bands. */
export const bandShares = (bands: Bands): BandShare[] => {
  const all = sum(Object.values(bands).map(({ cost_usd: cost }) => cost));
  return BANDS.map(({ band, note, color }) => {
    const cost = bands[band]?.cost_usd ?? null;
    return {
      band,
      label: wordFor(band),
      note,
      cost,
      share: shareOf(cost, all),
      fill: { kind: band === 'mixed' ? 'folded' : 'named', color },
    };
  });
};
