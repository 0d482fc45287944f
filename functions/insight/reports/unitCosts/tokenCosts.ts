import { TOKEN_COST_KINDS, type TokenCostKind } from '../../../../schemas/insight/unitCosts.ts';
import {
  type Decimal,
  decimal,
  sumOf,
  toDecimalString,
  wholeNumber,
  ZERO,
} from '../../../platform/shared/decimal.ts';
import { type ModelCalls, type TokenWeights, weighTokens } from '../modelCalls.ts';

/** Tokens of a kind and their cost in USD, of whole units of 1e-12. */
export interface TokenAmount {
  readonly tokens: number;
  readonly cost: Decimal;
}

export interface DividedCost {
  readonly amounts: Readonly<Record<TokenCostKind, TokenAmount>>;
  /** What reading from the cache cost less than plain input, and writing to it more. */
  readonly cacheSaving: Decimal;
}

const inUnits = (amount: Decimal): Decimal => decimal(toDecimalString(amount));

/**
 * Divides the cost of calls of one model among their tokens, in the proportion of their prices. The parts sum exactly to the
 * cost: what rounding leaves is added to the largest. Null if the calls cannot be divided: a part of their cost is unknown, or a
 * kind of their tokens has no price.
 */
export const divideCost = (calls: ModelCalls, weights: TokenWeights | null): DividedCost | null => {
  if (weights === null || calls.unpriced > 0) return null;
  const listed = weighTokens(calls, weights);
  if (listed === null) return null;
  const all = sumOf(listed.map(({ weighed }) => weighed));
  if (all.eq(ZERO)) return null;
  const rounded = listed.map(({ kind, tokens, weighed }) => ({
    kind,
    tokens,
    cost: inUnits(calls.cost.times(weighed).div(all)),
  }));
  const rest = rounded.reduce((left, { cost }) => left.minus(cost), calls.cost);
  const [largest] = rounded.toSorted((one, other) => other.cost.cmp(one.cost));
  const amountOf = (kind: TokenCostKind): TokenAmount => {
    const { tokens = 0, cost = ZERO } = rounded.find((one) => one.kind === kind) ?? {};
    return { tokens, cost: kind === largest?.kind ? cost.plus(rest) : cost };
  };
  const { uncached, cached, written } = weights;
  const listSaving = wholeNumber(calls.cached)
    .times((uncached ?? ZERO).minus(cached ?? ZERO))
    .minus(wholeNumber(calls.written).times((written ?? ZERO).minus(uncached ?? ZERO)));
  return {
    amounts: {
      uncached_input: amountOf('uncached_input'),
      cached_input: amountOf('cached_input'),
      cache_write: amountOf('cache_write'),
      output: amountOf('output'),
    },
    cacheSaving: inUnits(calls.cost.times(listSaving).div(all)),
  };
};

const NO_TOKENS: TokenAmount = { tokens: 0, cost: ZERO };
const NOTHING_DIVIDED: DividedCost = {
  amounts: { uncached_input: NO_TOKENS, cached_input: NO_TOKENS, cache_write: NO_TOKENS, output: NO_TOKENS },
  cacheSaving: ZERO,
};

export const sumDivided = (parts: readonly DividedCost[]): DividedCost => {
  const sum = { ...NOTHING_DIVIDED.amounts };
  let { cacheSaving } = NOTHING_DIVIDED;
  for (const part of parts) {
    for (const kind of TOKEN_COST_KINDS) {
      const [before, more] = [sum[kind], part.amounts[kind]];
      sum[kind] = { tokens: before.tokens + more.tokens, cost: before.cost.plus(more.cost) };
    }
    cacheSaving = cacheSaving.plus(part.cacheSaving);
  }
  return { amounts: sum, cacheSaving };
};
