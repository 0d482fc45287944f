import { SAVING_CALLS_MINIMUM } from '../../../schemas/insight/savings.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { type Decimal, decimal, ZERO } from '../../platform/shared/decimal.ts';
import { callsOf } from '../reports/modelCalls.ts';
import { batchRealised } from './realised/batchRealised.ts';
import { atLeastZero, callsIn, listCostOf, listPriceOf, paidFactor, shown } from './serviceCalls.ts';
import { type SlowTier, type Suggest, suggestion } from './suggestion.ts';

const isOfPipeline = ({ labels }: Cohort): boolean => labels.pathway_category === 'batch_pipeline';

/** A key or workload counts as a person, so these calls come from services that a mapping declares, or name nothing. */
const namesNobody = ({ parts }: Cohort): boolean =>
  parts.every(({ figures }) => figures.persons.length === 0);

const waitingOf = (cohorts: readonly Cohort[]): readonly Cohort[] =>
  cohorts.filter((cohort) => isOfPipeline(cohort) || namesNobody(cohort));

const lower = (one: Decimal | null, other: Decimal): Decimal => (one === null || other.lt(one) ? other : one);

/** How to find out whether the calls can wait for a tier. */
const VERIFY: Readonly<Record<SlowTier, string>> = {
  batch: 'Batches are answered within 24 hours. Send one run as a batch, and compare the cost of its calls.',
  flex: 'Answers of the flex tier take minutes at times, and can be refused for want of capacity. Send one run with the service tier "flex", and compare the cost of its calls.',
};
const SLOW_TIERS = ['batch', 'flex'] as const;

/**
 * Calls that nobody seems to wait for, at more than the price of a batch or of the flex tier, whichever is lower. Whether they can
 * wait is not known, so the least is zero. Calls that cost about that price have it already, or another discount.
 */
export const batch: Suggest = (own, { tierFactorOf, period }) => {
  const { identity, weights } = own;
  const waiting = waitingOf(own.cohorts);
  const calls = callsOf(waiting);
  const tiers = SLOW_TIERS.flatMap((tier) => {
    const factor = tierFactorOf(tier, identity.provider, identity.model, period.at);
    return factor === null ? [] : [{ tier, factor }];
  });
  const price = tiers.map(({ factor }) => factor).reduce<Decimal | null>(lower, null);
  const paid = paidFactor(calls, weights);
  const listed = listCostOf(calls, weights);
  if (price === null || paid === null || listed === null || callsIn(calls) < SAVING_CALLS_MINIMUM)
    return null;
  const isDiscounted = paid.times('2').lte(price.plus('1'));
  const most = isDiscounted ? ZERO : atLeastZero(calls.cost.minus(listed.times(price)));
  const isDeclared = waiting.every(isOfPipeline);
  return suggestion(own, period, {
    saving: 'batch',
    most,
    calls,
    energy_wh: null,
    confidence: isDeclared ? 'medium' : 'low',
    basis: {
      evidence: isDeclared ? 'pathway batch_pipeline' : 'no call names a person',
      list_usd: listPriceOf(listed),
      ...Object.fromEntries(tiers.map(({ tier, factor }) => [`${tier}_of_list`, shown(factor)])),
      paid_of_list: shown(paid),
    },
    verify: [
      'Ask the owner whether anything waits for the answers.',
      ...tiers.map(({ tier }) => VERIFY[tier]),
    ].join(' '),
    realised: batchRealised(own, waitingOf, listed, period),
  });
};

/** Half of the other price, for example. */
export const factorOf = (listed: string | null, tier: string | null | undefined): Decimal | null =>
  listed === null || tier == null || decimal(listed).eq(ZERO) ? null : decimal(tier).div(listed);
