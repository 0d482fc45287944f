import type { UsageTotals } from '../../../sdk/typescript/src/types.ts';
import { shareOf, sum } from '../format/decimal.ts';
import { wordFor } from '../format/words.ts';
import { costOfPart } from './usage.ts';

export interface BandShare {
  readonly band: string;
  readonly label: string;
  readonly note: string;
  readonly invocations: number;
  /** Null if no call of the band has a known price. */
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

type Totals = Pick<UsageTotals, 'confidence_bands' | 'unpriced_invocations'>;

/** The spend of each confidence band, and its share of the spend of all bands. */
export const bandShares = (totals: Totals): BandShare[] => {
  const bands = totals.confidence_bands;
  const all = sum(Object.values(bands).map(({ cost_usd: cost }) => cost));
  return BANDS.map(({ band, note, color }) => {
    const own = bands[band];
    const cost = own === undefined ? null : costOfPart(own, totals);
    return {
      band,
      label: wordFor(band),
      note,
      invocations: own?.invocations ?? 0,
      cost,
      share: shareOf(cost, all),
      fill: { kind: band === 'mixed' ? 'folded' : 'named', color },
    };
  });
};
