import type { OutcomeCosts, OutcomesCosts } from '../../../../schemas/insight/unitCosts.ts';
import type { OutcomeFigures } from '../../../../schemas/ledger/rollup.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../../ledger/cohorts/cohortTotals.ts';
import { nullWhenUnknown } from '../reportTotals.ts';

const NO_CALL: OutcomeFigures = {
  invocations: 0,
  paid: 0,
  cost_usd: { low: '0', central: '0', high: '0', unknown: 0 },
};

/** `isUnknown`: the status of no call is known. */
const costsOf = (figures: OutcomeFigures | undefined, isUnknown: boolean): OutcomeCosts => {
  const { invocations, paid, cost_usd } = figures ?? NO_CALL;
  const nothing = { low: null, central: null, high: null };
  const { low, central, high } = isUnknown ? nothing : nullWhenUnknown(cost_usd, invocations);
  return {
    invocations: isUnknown ? null : invocations,
    paid_invocations: isUnknown ? null : paid,
    unpriced_invocations: cost_usd.unknown,
    cost_usd: central,
    cost_usd_low: low,
    cost_usd_high: high,
  };
};

/**
 * What calls of cohorts cost that did not end well. With hidden ones there are at most `invocations_maximum` calls. Such calls can
 * be those of fewer than five persons of a cohort, so only callers that see single records may see them.
 */
export const outcomeCosts = (cohorts: readonly Cohort[], invocations_maximum: number): OutcomesCosts => {
  const { outcomes } = figuresOf(cohorts, (all) => ({ ...all, persons: [] }));
  const { examined, error, incomplete } = outcomes;
  const isUnknown = examined === 0 && invocations_maximum > 0;
  return {
    error: costsOf(error, isUnknown),
    incomplete: costsOf(incomplete, isUnknown),
    unexamined_invocations: invocations_maximum - examined,
  };
};
