import type { ChangeSide, ChangeTotals } from '../../../../schemas/insight/changes.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../../ledger/cohorts/cohortTotals.ts';
import { decimal, toDecimalString } from '../../../platform/shared/decimal.ts';
import { sumPrevious } from '../reportTotals.ts';
import { changeParts, type ModelCalls, NO_CALLS, type TokenWeights } from './changeParts.ts';

/** The weights of the tokens of a model, by provider and served model. */
export type WeightsOf = (provider: string, servedModel: string) => TokenWeights | null;

/** The sums that the report of one period shows. */
const sideOf = (cohorts: readonly Cohort[]): ChangeSide => {
  const { invocations, cost_usd, unpriced_invocations } = sumPrevious(cohorts);
  return { invocations, cost_usd, unpriced_invocations };
};

const callsOf = (cohorts: readonly Cohort[]): ModelCalls => {
  const { cost_usd: cost, ...figures } = figuresOf(cohorts, (all) => ({ ...all, persons: [] }));
  return {
    priced: figures.invocations - cost.unknown,
    unpriced: cost.unknown,
    cost: decimal(cost.central),
    input: figures.input_tokens,
    cached: figures.cached_input_tokens,
    written: figures.cache_write_tokens,
    output: figures.output_tokens,
  };
};

const HIDDEN = '';

/** The calls of each model that the cohorts show, by provider and served model, and those of which it is hidden. */
const callsByModel = (cohorts: readonly Cohort[]): ReadonlyMap<string, ModelCalls> => {
  const groups = Map.groupBy(cohorts, ({ labels: { provider, served_model: model } }) =>
    typeof provider === 'string' && typeof model === 'string' ? JSON.stringify([provider, model]) : HIDDEN,
  );
  return new Map([...groups].map(([key, group]) => [key, callsOf(group)]));
};

/**
 * The change of cost between the cohorts of two periods, and its parts. These follow from sums that reports of both periods show by
 * provider and model, so they disclose nothing more.
 */
export const sumChange = (
  before: readonly Cohort[],
  now: readonly Cohort[],
  weightsOf: WeightsOf,
): ChangeTotals => {
  const [previous, current] = [sideOf(before), sideOf(now)];
  if (previous.cost_usd === null || current.cost_usd === null) {
    return { current, previous, change_usd: null, parts: null };
  }
  const [earlier, later] = [callsByModel(before), callsByModel(now)];
  const changeOf = (key: string) => ({
    before: earlier.get(key) ?? NO_CALLS,
    now: later.get(key) ?? NO_CALLS,
  });
  const models = [...new Set([...earlier.keys(), ...later.keys()])].filter((key) => key !== HIDDEN);
  return {
    current,
    previous,
    change_usd: toDecimalString(decimal(current.cost_usd).minus(previous.cost_usd)),
    parts: changeParts(
      models.map((key) => {
        const [provider = '', model = ''] = JSON.parse(key);
        return { ...changeOf(key), weights: weightsOf(provider, model) };
      }),
      changeOf(HIDDEN),
    ),
  };
};
