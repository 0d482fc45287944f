import type { TokenCostKind } from '../../../schemas/insight/unitCosts.ts';
import type { JustAbove } from '../../../schemas/ledger/rollup.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../ledger/cohorts/cohortTotals.ts';
import { type Decimal, decimal, wholeNumber, ZERO } from '../../platform/shared/decimal.ts';

/** Calls of one model at one provider. */
export interface ModelCalls {
  /** Calls whose cost is known. */
  readonly priced: number;
  readonly unpriced: number;
  /** USD of the priced calls. */
  readonly cost: Decimal;
  /** Tokens of all calls: the whole input, what of it was read from and written to a cache, and the output. */
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

export const NO_CALLS: ModelCalls = {
  priced: 0,
  unpriced: 0,
  cost: ZERO,
  input: 0,
  cached: 0,
  written: 0,
  output: 0,
};

export const modelCallsOf = ({ cost_usd: cost, ...figures }: JustAbove): ModelCalls => ({
  priced: figures.invocations - cost.unknown,
  unpriced: cost.unknown,
  cost: decimal(cost.central),
  input: figures.input_tokens,
  cached: figures.cached_input_tokens,
  written: figures.cache_write_tokens,
  output: figures.output_tokens,
});

export const callsOf = (cohorts: readonly Cohort[]): ModelCalls =>
  modelCallsOf(figuresOf(cohorts, (all) => ({ ...all, persons: [] })));

/** What a token of each kind costs in relation to the others. Null if the model has no price for the kind. */
export interface TokenWeights {
  readonly uncached: Decimal | null;
  readonly cached: Decimal | null;
  readonly written: Decimal | null;
  readonly output: Decimal | null;
}

/** Tokens of one kind, and their number times the weight. */
export interface WeighedTokens {
  readonly kind: TokenCostKind;
  readonly tokens: number;
  readonly weighed: Decimal;
}

/** The tokens of calls by kind. Null if a kind that occurs has no weight, or if the counts contradict each other. */
export const weighTokens = (
  { input, cached, written, output }: Pick<ModelCalls, 'input' | 'cached' | 'written' | 'output'>,
  weights: TokenWeights,
): readonly WeighedTokens[] | null => {
  const kinds = [
    ['uncached_input', input - cached - written, weights.uncached],
    ['cached_input', cached, weights.cached],
    ['cache_write', written, weights.written],
    ['output', output, weights.output],
  ] as const;
  if (kinds.some(([, tokens, weight]) => tokens < 0 || (tokens > 0 && weight === null))) return null;
  return kinds.map(([kind, tokens, weight]) => ({
    kind,
    tokens,
    weighed: wholeNumber(tokens).times(weight ?? ZERO),
  }));
};

/** The prices of the tokens of a model at a moment, for calls that read so many tokens. Null if it has none. */
export type WeightsAt = (
  provider: string,
  servedModel: string,
  at: Date,
  contextTokens?: number,
) => TokenWeights | null;

/** The weights of the tokens of a model, by provider and served model. Null if it has no price. */
export type WeightsOf = (provider: string, servedModel: string) => TokenWeights | null;
