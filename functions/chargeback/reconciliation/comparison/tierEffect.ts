import type { PriceRules } from '../../../impact/price/rules/priceRules.ts';
import { tierNameOf, tierTerms } from '../../../impact/price/rules/serviceTier.ts';
import { type Decimal, sumOf, wholeNumber } from '../../../platform/shared/decimal.ts';
import type { BilledRow } from '../rows/bill.ts';

type PricedRow = Pick<BilledRow, 'cost' | 'tokens' | 'tier'>;

/** How much a tier changes a bill, compared with the standard price. Null if the standard price is unknown. */
interface TierEffect {
  readonly tier: string;
  readonly effect: Decimal | null;
}

const costOf = (charges: readonly PricedRow[]): Decimal => sumOf(charges.map(({ cost }) => cost));
const countOf = (charges: readonly PricedRow[]): number =>
  charges.reduce((sum, { tokens }) => sum + (tokens?.count ?? 0), 0);

/** What tokens of a tier would cost at the standard price that the same bill has for their kind. */
const atBilledPrice = (charges: readonly PricedRow[], standard: readonly PricedRow[]): Decimal | null => {
  const kind = charges[0]?.tokens?.kind;
  const ofKind = standard.filter(({ tokens }) => kind !== undefined && tokens?.kind === kind);
  const count = countOf(ofKind);
  return count === 0
    ? null
    : costOf(ofKind)
        .times(wholeNumber(countOf(charges)))
        .div(wholeNumber(count));
};

/** The multipliers of tiers, and the day of the charges. */
export interface TierRules {
  readonly rules: PriceRules;
  readonly at: Date;
}

/** What charges of a tier would cost without its published multiplier. */
const atPublishedTerms = (
  charges: readonly PricedRow[],
  { provider, model }: { readonly provider: string; readonly model: string },
  tier: string,
  { rules, at }: TierRules,
): Decimal | null => {
  const { stated, times, over } = tierTerms(rules, {
    provider,
    model,
    at,
    tier: tierNameOf({ service_tier: tier }),
  });
  return stated === null
    ? null
    : costOf(charges)
        .times(over ?? '1')
        .div(times);
};

/**
 * The effects of the tiers of a bill, by tier and kind of tokens. Pass the usage rows of one model. The standard price is
 * that of the same bill, and otherwise follows from the multiplier that the provider publishes.
 */
export const tierEffects = (
  line: { readonly provider: string; readonly model: string },
  charges: readonly PricedRow[],
  published: TierRules,
): TierEffect[] => {
  const standard = charges.filter(({ tier }) => tier === undefined);
  return [
    ...Map.groupBy(
      charges.filter(({ tier }) => tier !== undefined),
      ({ tier, tokens }) => JSON.stringify([tier, tokens?.kind ?? null]),
    ).values(),
  ].map((ofTier) => {
    const tier = ofTier[0]?.tier ?? '';
    const atStandard = atBilledPrice(ofTier, standard) ?? atPublishedTerms(ofTier, line, tier, published);
    return { tier, effect: atStandard && costOf(ofTier).minus(atStandard) };
  });
};
