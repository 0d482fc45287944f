import {
  type BandedPrices,
  type KindPrices,
  type PricedKind,
  type Prices,
  pricedTiers,
} from '../../../schemas/attribution/unitPrices.ts';
import { decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import {
  NO_PRICES,
  type PriceSheet,
  type TierPrices,
  tokenKinds,
  type UnitPrices,
  unitPrices,
} from './priceSheet.ts';

/** Unit prices for calls that read more than `above` tokens. They apply to all tokens of the call. */
export interface PriceBand {
  readonly above: number;
  readonly prices: UnitPrices;
  readonly tiers: TierPrices;
}

/** Bands of context length, shortest first. */
export type PriceBands = readonly [PriceBand, ...PriceBand[]];

/** The sheets of a model by length of context, shortest first. */
export type PriceSheets = readonly [PriceSheet, ...PriceSheet[]];

export const sheetsOf = (
  [first, ...others]: PriceBands,
  common: Omit<PriceSheet, keyof UnitPrices | 'aboveTokens' | 'tiers'>,
): PriceSheets => {
  const sheetOf = ({ above, prices, tiers }: PriceBand): PriceSheet => ({
    ...prices,
    ...common,
    aboveTokens: above,
    tiers,
  });
  return [sheetOf(first), ...others.map(sheetOf)];
};

export const sheetAt = (sheets: PriceSheets, contextTokens: number): PriceSheet =>
  sheets.findLast(({ aboveTokens }) => contextTokens > aboveTokens) ?? sheets[0];

export const timesFactor = (price: string | null, factor: string): string | null =>
  price === null ? null : toDecimalString(decimal(price).times(factor));

const unitPricesOf = (prices: KindPrices, below: UnitPrices): UnitPrices =>
  unitPrices((kind) => prices[kind] ?? below[kind]);

const startsOf = ({ bands = [] }: BandedPrices): number[] => bands.map(({ above_tokens }) => above_tokens);

/** The prices that are stated for calls of a length, each band filled from the band below. */
const pricesAbove = (prices: BandedPrices, above: number): UnitPrices =>
  (prices.bands ?? [])
    .filter(({ above_tokens }) => above_tokens <= above)
    .toSorted((one, other) => one.above_tokens - other.above_tokens)
    .reduce((below, band) => unitPricesOf(band, below), unitPricesOf(prices, NO_PRICES));

const OUTPUT_KINDS: ReadonlySet<PricedKind> = new Set([
  'output',
  'reasoning',
  'audio_output',
  'image_output',
]);
const isSpecific = (price: string | null | undefined): price is string =>
  price !== null && price !== undefined && !decimal(price).eq('0');

/** `price` times `to / from`, for a price that is known as a ratio of another one only. */
const inRatio = (price: string | null, to: string | null, from: string | null): string | null =>
  price === null || to === null || !isSpecific(from)
    ? null
    : toDecimalString(decimal(price).times(to).div(from));

/**
 * The prices of a tier in a band. What the tier leaves out has the tier's discount or surcharge on the kind itself in the
 * shortest band, or else on the kind that contains it.
 */
const tierPricesIn = (standard: BandedPrices, tier: BandedPrices, above: number): UnitPrices => {
  const isBandStated = startsOf(tier).some((start) => start <= above) || above < 0;
  const stated = pricesAbove(tier, above);
  const [standardBase, standardHere] = [pricesAbove(standard, -1), pricesAbove(standard, above)];
  const tierBase = pricesAbove(tier, -1);
  const priceOf = (kind: PricedKind): string | null => {
    if (!tokenKinds.includes(kind)) return stated[kind] ?? standardHere[kind];
    if (isBandStated && stated[kind] !== null) return stated[kind];
    const container = OUTPUT_KINDS.has(kind) ? 'output' : 'input';
    return (
      inRatio(standardHere[kind], tierBase[kind], standardBase[kind]) ??
      inRatio(standardHere[kind], tierBase[container], standardBase[container]) ??
      standardHere[kind]
    );
  };
  return unitPrices(priceOf);
};

const tiersIn = (prices: Prices, above: number): TierPrices =>
  Object.fromEntries(
    pricedTiers.flatMap((name) => {
      const tier = prices[name];
      return tier === undefined ? [] : [[name, tierPricesIn(prices, tier, above)] as const];
    }),
  );

/** Splits the prices of a model into bands of context length. */
export const bandsOf = (prices: Prices): PriceBands => {
  const tiers = pricedTiers.flatMap((name) => prices[name] ?? []);
  const band = (above: number): PriceBand => ({
    above,
    prices: pricesAbove(prices, above),
    tiers: tiersIn(prices, above),
  });
  const starts = [...new Set([prices, ...tiers].flatMap(startsOf))].sort((a, b) => a - b);
  return [band(-1), ...starts.map(band)];
};
