import { SAVING_CALLS_MINIMUM, type Saving } from '../../../schemas/insight/savings.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../ledger/cohorts/cohortTotals.ts';
import { type Decimal, sumOf, toDecimalString, wholeNumber, ZERO } from '../../platform/shared/decimal.ts';
import { earlierCalls, knownRealised, smallest, unknownRealised } from './realised/realised.ts';
import {
  atLeastZero,
  callsIn,
  type SavingsPeriod,
  type ServiceCalls,
  shareOf,
  shown,
} from './serviceCalls.ts';
import { type Suggest, suggestion } from './suggestion.ts';

/** The least share of the cost that is suggested (judgement): a few failures are usual. */
const COST_SHARE_MINIMUM = '0.01';

/** Calls that did not end well, of calls whose status was read. */
interface Failed {
  readonly examined: number;
  readonly calls: number;
  readonly paid: number;
  /** USD of those whose cost is known. */
  readonly cost: Decimal;
}

const failedIn = (cohorts: readonly Cohort[]): Failed => {
  const { outcomes } = figuresOf(cohorts, (all) => ({ ...all, persons: [] }));
  const bad = [outcomes.error, outcomes.incomplete].filter((figures) => figures !== undefined);
  const count = (of: 'invocations' | 'paid'): number =>
    bad.reduce((total, figures) => total + figures[of], 0);
  return {
    examined: outcomes.examined,
    calls: count('invocations'),
    paid: count('paid'),
    cost: sumOf(bad.map(({ cost_usd }) => cost_usd.central)),
  };
};

const VERIFY =
  'Read the errors of these calls. Retry only what can succeed, with growing pauses and a limit, and let a call end before its tokens are cut off. Compare the share of failed calls of the next days.';

/**
 * What the smaller share of failed calls saves since the period before: at the cost of a failed call of then, and at that of now. More
 * calls of another kind lower the share too. So the least is what follows from how many fewer calls failed.
 */
const realisedOf = (own: ServiceCalls, now: Failed, period: SavingsPeriod): Saving['realised'] => {
  const earlier = earlierCalls(own);
  if ('unknown' in earlier) return earlier;
  const { restsOn: calls } = earlier;
  const before = failedIn(own.before?.cohorts ?? []);
  if (before.examined < calls.before || now.examined < calls.now)
    return unknownRealised('unexamined_calls', calls);
  const expected = wholeNumber(before.calls).times(wholeNumber(calls.now)).div(wholeNumber(calls.before));
  const fewer = expected.minus(wholeNumber(now.calls));
  const certain = smallest(fewer, atLeastZero(wholeNumber(before.calls - now.calls)));
  const amounts = [before, now].flatMap(({ calls: failed, cost }) =>
    failed === 0 ? [] : [certain, fewer].map((count) => count.times(cost).div(wholeNumber(failed))),
  );
  const [first = ZERO, ...others] = amounts;
  return knownRealised(
    [first, ...others],
    calls,
    {
      failed_share_before: shown(shareOf(before.calls, calls.before)),
      failed_share_now: shown(shareOf(now.calls, calls.now)),
    },
    period,
  );
};

/** Calls that failed or were cut off, and were paid. Some must fail, and a cut answer can be of use, so the least is zero. */
export const failedCalls: Suggest = (own, { period }) => {
  const { cohorts, calls } = own;
  if (callsIn(calls) < SAVING_CALLS_MINIMUM) return null;
  const failed = failedIn(cohorts);
  const isLittle = failed.cost.lt(calls.cost.times(COST_SHARE_MINIMUM));
  return suggestion(own, period, {
    saving: 'failed_calls',
    most: isLittle ? ZERO : failed.cost,
    calls,
    energy_wh: null,
    confidence: 'medium',
    basis: {
      failed_calls: String(failed.calls),
      paid_failed_calls: String(failed.paid),
      failed_usd: toDecimalString(failed.cost),
      examined_calls: String(failed.examined),
    },
    verify: VERIFY,
    realised: realisedOf(own, failed, period),
  });
};
