import { SAVING_CALLS_MINIMUM } from '../../../schemas/insight/savings.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { type Decimal, decimal, ZERO } from '../../platform/shared/decimal.ts';
import { callsOf } from '../reports/modelCalls.ts';
import { batchRealised } from './realised/batchRealised.ts';
import { atLeastZero, callsIn, listCostOf, listPriceOf, paidFactor, shown } from './serviceCalls.ts';
import { type Suggest, suggestion } from './suggestion.ts';

const isOfPipeline = ({ labels }: Cohort): boolean => labels.pathway_category === 'batch_pipeline';

/** A key or workload counts as a person, so these calls come from services that a mapping declares, or name nothing. */
const namesNobody = ({ parts }: Cohort): boolean =>
  parts.every(({ figures }) => figures.persons.length === 0);

const waitingOf = (cohorts: readonly Cohort[]): readonly Cohort[] =>
  cohorts.filter((cohort) => isOfPipeline(cohort) || namesNobody(cohort));

const VERIFY =
  'Ask the owner whether anything waits for the answers. Batches are answered within 24 hours. Send one run as a batch, and compare the cost of its calls.';

/**
 * Calls that nobody seems to wait for, at more than the batch price. Whether they can wait is not known, so the least is zero. Calls
 * that cost about the batch price have it already, or another discount.
 */
export const batch: Suggest = (own, { batchFactorOf, period }) => {
  const { identity, weights } = own;
  const waiting = waitingOf(own.cohorts);
  const calls = callsOf(waiting);
  const price = batchFactorOf(identity.provider, identity.model, period.at);
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
      batch_of_list: shown(price),
      paid_of_list: shown(paid),
    },
    verify: VERIFY,
    realised: batchRealised(own, waitingOf, listed, period),
  });
};

/** Half of the other price, for example. */
export const factorOf = (listed: string | null, tier: string | null | undefined): Decimal | null =>
  listed === null || tier == null || decimal(listed).eq(ZERO) ? null : decimal(tier).div(listed);
