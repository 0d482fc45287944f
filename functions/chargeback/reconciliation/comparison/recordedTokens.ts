import type { TokenKind } from '../../../../schemas/chargeback/suggestedPrices.ts';
import type { Figures } from '../../../../schemas/ledger/rollup.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../../ledger/cohorts/cohortTotals.ts';
import { noFigures } from '../../../ledger/rollups/figures.ts';

const tokensOnly = (figures: Figures): Figures => ({
  ...noFigures,
  input_tokens: figures.input_tokens,
  cached_input_tokens: figures.cached_input_tokens,
  cache_write_tokens: figures.cache_write_tokens,
  output_tokens: figures.output_tokens,
  reasoning_tokens: figures.reasoning_tokens,
});

/**
 * The recorded tokens by the kinds that a bill has. A kind that the bill does not have counts as the kind that contains it,
 * as prices do: cache reads and writes as input, reasoning as output.
 */
export const recordedTokens = (
  cohorts: readonly Cohort[],
  kinds: ReadonlySet<TokenKind>,
): ReadonlyMap<TokenKind, number> => {
  const figures = figuresOf(cohorts, tokensOnly);
  const { cached_input_tokens: cached, cache_write_tokens: written, reasoning_tokens: reasoning } = figures;
  const totals = new Map<TokenKind, number>([
    ['input', figures.input_tokens - cached - written],
    ['output', figures.output_tokens - reasoning],
  ]);
  const add = (kind: TokenKind, container: TokenKind, count: number): void => {
    const counted = kinds.has(kind) ? kind : container;
    totals.set(counted, (totals.get(counted) ?? 0) + count);
  };
  add('cached_input', 'input', cached);
  add('cache_write', 'input', written);
  add('reasoning', 'output', reasoning);
  return totals;
};
