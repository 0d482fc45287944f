import { COHORT_MINIMUM } from '../../../../schemas/insight/reports.ts';
import type { PersonCosts, TokenCost, UnitCosts } from '../../../../schemas/insight/unitCosts.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { invocationsOf } from '../../../ledger/cohorts/cohortTotals.ts';
import { type Decimal, toDecimalString, wholeNumber } from '../../../platform/shared/decimal.ts';
import { callsOf, type WeightsAt } from '../modelCalls.ts';
import { sumAdoption, sumPrevious } from '../reportTotals.ts';
import { outcomeCosts } from './outcomeCosts.ts';
import { divideCost, sumDivided, type TokenAmount } from './tokenCosts.ts';

const MILLION = '1000000';
/** Two standard errors of an estimated number of persons, as factors. */
const ESTIMATE = { low: '0.82', high: '1.18' } as const;

const ratio = (part: Decimal, whole: Decimal): string | null =>
  whole.eq('0') ? null : toDecimalString(part.div(whole));

/** Each cohort is divided by itself, at the prices of its day: so the parts of rows sum exactly to those of the totals. */
const divide = (cohort: Cohort, weightsAt: WeightsAt) => {
  const { provider, served_model: model } = cohort.labels;
  const weights =
    typeof provider === 'string' && typeof model === 'string'
      ? weightsAt(provider, model, new Date(cohort.at))
      : null;
  return divideCost(callsOf([cohort]), weights);
};

const tokenCost = ({ tokens, cost }: TokenAmount): TokenCost => ({
  tokens,
  cost_usd: toDecimalString(cost),
  usd_per_million: ratio(cost.times(MILLION), wholeNumber(tokens)),
});

const namesPersons = ({ parts }: Cohort): boolean => parts.some(({ figures }) => figures.persons.length > 0);

const personCosts = (cohorts: readonly Cohort[]): PersonCosts => {
  const { persons, persons_estimated } = sumAdoption(cohorts, 0);
  const { cost, priced } = callsOf(cohorts.filter(namesPersons));
  // What nobody has a price for is unknown, and not 0.
  if (priced === 0) return { persons, persons_estimated, low_usd: null, high_usd: null };
  const [least, most] = [wholeNumber(persons), wholeNumber(persons + COHORT_MINIMUM - 1)];
  return {
    persons,
    persons_estimated,
    low_usd: persons === 0 ? null : ratio(cost, persons_estimated ? most.times(ESTIMATE.high) : most),
    high_usd: ratio(cost, persons_estimated ? least.times(ESTIMATE.low) : least),
  };
};

/**
 * The unit costs of cohorts. `possible` are hidden ones that may be of the same group. All figures but the outcomes follow
 * from sums of whole cohorts, so they disclose nothing that the usage report does not.
 */
export const sumUnitCosts =
  (weightsAt: WeightsAt, showsOutcomes: boolean) =>
  (cohorts: readonly Cohort[], suppressed_groups: number, possible: () => readonly Cohort[]): UnitCosts => {
    const { invocations, cost_usd, unpriced_invocations } = sumPrevious(cohorts);
    const invocations_maximum = invocations + invocationsOf(possible());
    const calls = callsOf(cohorts);
    const divided = cohorts.flatMap((cohort) => divide(cohort, weightsAt) ?? []);
    const { amounts, cacheSaving } = sumDivided(divided);
    const rest = Object.values(amounts).reduce((left, { cost }) => left.minus(cost), calls.cost);
    return {
      invocations,
      invocations_maximum,
      cost_usd: invocations === 0 && invocations_maximum > 0 ? null : cost_usd,
      unpriced_invocations,
      cost_per_invocation_usd: ratio(calls.cost, wholeNumber(calls.priced)),
      person_costs: personCosts(cohorts),
      token_costs: {
        uncached_input: tokenCost(amounts.uncached_input),
        cached_input: tokenCost(amounts.cached_input),
        cache_write: tokenCost(amounts.cache_write),
        output: tokenCost(amounts.output),
        undivided_usd: toDecimalString(rest),
      },
      cache: {
        share: ratio(wholeNumber(calls.cached), wholeNumber(calls.input)),
        saving_usd: divided.length === 0 ? null : toDecimalString(cacheSaving),
      },
      ...(showsOutcomes && { outcomes: outcomeCosts(cohorts, invocations_maximum) }),
      suppressed_groups,
    };
  };
