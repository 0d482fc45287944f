import type { DifferenceParts } from '../../../../schemas/chargeback/differenceParts.ts';
import type { TokenKind } from '../../../../schemas/chargeback/suggestedPrices.ts';
import { addDecimals, type Decimal, sumOf, wholeNumber, ZERO } from '../../../platform/shared/decimal.ts';
import { roundingOf } from '../prices/unitPrice.ts';
import type { BilledRow } from '../rows/bill.ts';
import { isBatch } from '../rows/billTier.ts';
import { quantityEffect, unitPriceRounding } from './quantityEffect.ts';
import { type TierRules, tierEffects } from './tierEffect.ts';

/** A part that is a quotient is rounded to this many fractional digits. What remains is in a later part. */
const PART_DIGITS = 12;

export const noParts: DifferenceParts = {
  uncaptured_calls_usd: '0',
  unbilled_calls_usd: '0',
  token_kinds_usd: '0',
  batch_usd: '0',
  tier_usd: '0',
  price_usd: '0',
  rounding_usd: '0',
  unexplained_usd: '0',
};

/** The exact sum of the parts of two differences. */
export const addParts = (one: DifferenceParts, other: DifferenceParts): DifferenceParts => {
  const sum = (name: keyof DifferenceParts) => addDecimals(one[name], other[name]);
  return {
    uncaptured_calls_usd: sum('uncaptured_calls_usd'),
    unbilled_calls_usd: sum('unbilled_calls_usd'),
    token_kinds_usd: sum('token_kinds_usd'),
    batch_usd: sum('batch_usd'),
    tier_usd: sum('tier_usd'),
    price_usd: sum('price_usd'),
    rounding_usd: sum('rounding_usd'),
    unexplained_usd: sum('unexplained_usd'),
  };
};

/**
 * Both sides of a comparison. The recorded side has only sums over all its calls, so no part is about fewer persons than the
 * sums are.
 */
export interface ComparedSides {
  /** The provider and model, if both are shown. A comparison of several models, or of charges without a model, has none. */
  readonly line: { readonly provider: string; readonly model: string } | null;
  readonly recorded: {
    readonly invocations: number;
    readonly cost: string;
    /** The recorded tokens by the kinds that a bill has. */
    readonly tokens: (kinds: ReadonlySet<TokenKind>) => ReadonlyMap<TokenKind, number>;
  };
  /** The usage rows of the bills. Empty without a bill. */
  readonly rows: readonly BilledRow[];
  readonly tierRules: TierRules;
}

/** The part of an effect that the difference still has: nothing with another sign, and nothing beyond it. */
const within = (effect: Decimal, rest: Decimal): Decimal => {
  if (effect.times(rest).lte(ZERO)) return ZERO;
  return effect.abs().lt(rest.abs()) ? effect : rest;
};

const costs = (rows: readonly BilledRow[]): string[] => rows.map(({ cost }) => cost);

/** The rows of the recorded calls: those of the standard tier if they have exactly the recorded tokens, otherwise all. */
const capturedRows = (
  rows: readonly BilledRow[],
  tokens: ComparedSides['recorded']['tokens'],
): readonly BilledRow[] => {
  const standard = rows.filter(({ tier }) => tier === undefined);
  return quantityEffect(standard, tokens)?.isSame === true ? standard : rows;
};

/** Divides `billed − recorded` of a model with bill rows and records. */
const explain = ({ line, recorded, rows, tierRules }: ComparedSides, billed: Decimal): DifferenceParts => {
  const parts: { -readonly [Name in keyof DifferenceParts]: string } = { ...noParts };
  let rest = billed.minus(recorded.cost);
  const take = (name: keyof DifferenceParts, amount: Decimal): void => {
    const part = amount.round(PART_DIGITS);
    parts[name] = part.toFixed();
    rest = rest.minus(part);
  };
  const takeRest = (name: keyof DifferenceParts): DifferenceParts => ({ ...parts, [name]: rest.toFixed() });
  const all = rows.filter(({ cost, tokens }) => cost !== '0' || tokens !== undefined);
  const charged = line === null ? all : capturedRows(all, recorded.tokens);
  const tolerance = roundingOf(costs(charged)).times(wholeNumber(charged.length));
  const isRounding = (): boolean => rest.abs().lte(tolerance);

  const quantity = line && quantityEffect(charged, recorded.tokens);
  if (quantity !== null) {
    const uncaptured = sumOf(costs(all))
      .minus(sumOf(costs(charged)))
      .plus(quantity.uncaptured);
    take('uncaptured_calls_usd', uncaptured);
    take('unbilled_calls_usd', quantity.unbilled);
    take('token_kinds_usd', quantity.kinds);
  }
  if (isRounding()) return takeRest('rounding_usd');
  if (line === null) return takeRest('unexplained_usd');

  const tiers = tierEffects(line, charged, tierRules);
  const effectOf = (isOfPart: (tier: string) => boolean): Decimal =>
    sumOf(tiers.filter(({ tier }) => isOfPart(tier)).map(({ effect }) => effect ?? ZERO));
  const batch = effectOf(isBatch);
  take('batch_usd', within(batch, rest));
  const otherTiers = effectOf((tier) => !isBatch(tier));
  take('tier_usd', within(otherTiers, rest));
  if (isRounding()) return takeRest('rounding_usd');

  const isPrice = quantity?.hasAllKinds === true && tiers.every(({ effect }) => effect !== null);
  if (!isPrice) return takeRest('unexplained_usd');
  if (tiers.length === 0 && quantity.isSame) take('rounding_usd', unitPriceRounding(charged));
  return takeRest('price_usd');
};

/**
 * Names the parts of `billed − recorded`. They sum to it exactly. What neither the bill nor the records show is in
 * `unexplained_usd`.
 */
export const differenceParts = (sides: ComparedSides): DifferenceParts => {
  const { line, recorded, rows } = sides;
  if (rows.length === 0) {
    return { ...noParts, unbilled_calls_usd: ZERO.minus(recorded.cost).toFixed() };
  }
  const billed = sumOf(costs(rows));
  if (recorded.invocations > 0) return explain(sides, billed);
  return { ...noParts, [line === null ? 'unexplained_usd' : 'uncaptured_calls_usd']: billed.toFixed() };
};
