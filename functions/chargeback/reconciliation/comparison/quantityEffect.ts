import type { TokenKind } from '../../../../schemas/chargeback/suggestedPrices.ts';
import { type Decimal, decimal, sumOf, wholeNumber, ZERO } from '../../../platform/shared/decimal.ts';
import { roundingOf, unitPriceOf } from '../prices/unitPrice.ts';
import type { BilledRow } from '../rows/bill.ts';

type PricedRow = Pick<BilledRow, 'cost' | 'tokens'>;

/** How much of a difference follows from the numbers of tokens, at the average prices of the bill. */
interface QuantityEffect {
  /** Tokens that were billed and not recorded. Zero or positive. */
  readonly uncaptured: Decimal;
  /** Tokens that were recorded and not billed. Zero or negative. */
  readonly unbilled: Decimal;
  /** As many tokens, of other kinds: such as billed as cache reads and recorded as input. */
  readonly kinds: Decimal;
  /** Whether the bill has a price for each recorded kind. Otherwise `kinds` is zero, because it is unknown. */
  readonly hasAllKinds: boolean;
  /** Whether the bill has exactly the recorded tokens of each kind. */
  readonly isSame: boolean;
}

/** Tokens that are counted together: cache reads and writes are input, reasoning is output. */
const FAMILIES: readonly (readonly TokenKind[])[] = [
  ['input', 'cached_input', 'cache_write'],
  ['output', 'reasoning'],
];
const MILLION = decimal('1000000');

interface Amount {
  readonly cost: Decimal;
  readonly count: number;
}

const amountOf = (charges: readonly PricedRow[]): Amount => ({
  cost: sumOf(charges.map(({ cost }) => cost)),
  count: charges.reduce((sum, { tokens }) => sum + (tokens?.count ?? 0), 0),
});

/** What the tokens that only one side has cost, at the average price of the bill. */
const excessOf = ({ cost, count }: Amount, recorded: number): Decimal =>
  count === 0 ? ZERO : cost.times(wholeNumber(count).minus(wholeNumber(recorded))).div(wholeNumber(count));

/**
 * Compares the tokens of a bill with the recorded ones. Pass the usage rows of one model. Null if a row does not say what it
 * charges for, or if one side has no tokens at all.
 */
export const quantityEffect = (
  charges: readonly PricedRow[],
  recordedTokens: (kinds: ReadonlySet<TokenKind>) => ReadonlyMap<TokenKind, number>,
): QuantityEffect | null => {
  if (charges.some(({ tokens }) => tokens === undefined)) return null;
  const byKind = new Map(
    [...Map.groupBy(charges, ({ tokens }) => tokens?.kind)].flatMap(([kind, ofKind]) =>
      kind === undefined ? [] : [[kind, amountOf(ofKind)] as const],
    ),
  );
  const recorded = recordedTokens(new Set(byKind.keys()));
  const nothing: Amount = { cost: ZERO, count: 0 };
  const kinds = FAMILIES.flat().map((kind) => ({
    billed: byKind.get(kind) ?? nothing,
    recorded: recorded.get(kind) ?? 0,
  }));
  const families = FAMILIES.map((members) => ({
    billed: amountOf(charges.filter(({ tokens }) => tokens && members.includes(tokens.kind))),
    recorded: members.reduce((sum, kind) => sum + (recorded.get(kind) ?? 0), 0),
  }));
  if (families.every(({ billed }) => billed.count === 0)) return null;
  if (families.every((family) => family.recorded === 0)) return null;

  const excesses = families.map((family) => excessOf(family.billed, family.recorded));
  const hasAllKinds = kinds.every(({ billed, recorded: count }) => count === 0 || billed.count > 0);
  const ofKinds = sumOf(kinds.map((kind) => excessOf(kind.billed, kind.recorded)));
  return {
    uncaptured: sumOf(excesses.filter((excess) => excess.gt(ZERO))),
    unbilled: sumOf(excesses.filter((excess) => excess.lt(ZERO))),
    kinds: hasAllKinds ? ofKinds.minus(sumOf(excesses)) : ZERO,
    hasAllKinds,
    isSame: kinds.every(({ billed, recorded: count }) => billed.count === count),
  };
};

/** How much the bill of a model is above its tokens at one price for each kind. Zero for a kind with several prices. */
export const unitPriceRounding = (charges: readonly PricedRow[]): Decimal => {
  const rounding = roundingOf(charges.map(({ cost }) => cost));
  return [...Map.groupBy(charges, ({ tokens }) => tokens?.kind).values()].reduce((sum, ofKind) => {
    const priced = ofKind.flatMap(({ cost, tokens }) => (tokens?.count ? { cost, count: tokens.count } : []));
    const price = priced.length === 0 ? null : unitPriceOf(priced, rounding);
    if (price === null) return sum;
    const { cost, count } = amountOf(ofKind);
    return sum.plus(cost).minus(wholeNumber(count).times(price).div(MILLION));
  }, ZERO);
};
