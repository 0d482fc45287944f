import type { ChangeSide, ChangeTotals } from '../../../../schemas/insight/changes.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { decimal, toDecimalString } from '../../../platform/shared/decimal.ts';
import { callsOf, type ModelCalls, NO_CALLS, type WeightsOf } from '../modelCalls.ts';
import { sumPrevious, totalsByOwnerState } from '../reportTotals.ts';
import { changeParts } from './changeParts.ts';

/** The calls of one period: those that are shown, and those of which suppression hides whether they are among them. */
export interface PeriodCalls {
  readonly shown: readonly Cohort[];
  readonly possible: readonly Cohort[];
}

/** The sums that the report of one period shows. Where it shows no call, hidden ones can be all there are. */
const sideOf = ({ shown, possible }: PeriodCalls): ChangeSide => {
  const { invocations, cost_usd, unpriced_invocations } = sumPrevious(shown);
  const most = sumPrevious([...shown, ...possible]);
  return {
    invocations,
    invocations_maximum: most.invocations,
    cost_usd: invocations === 0 && most.invocations > 0 ? null : cost_usd,
    cost_usd_maximum: most.cost_usd,
    unpriced_invocations,
    owner_states: totalsByOwnerState(shown),
  };
};

/** The least and the greatest change. Null if the cost of all calls of a period is unknown. */
const rangeOf = (previous: ChangeSide, current: ChangeSide): ChangeTotals['change_range_usd'] => {
  if (previous.cost_usd_maximum === null || current.cost_usd_maximum === null) return null;
  const difference = (now: string, before: string) => toDecimalString(decimal(now).minus(before));
  return {
    low: difference(current.cost_usd ?? '0', previous.cost_usd_maximum),
    high: difference(current.cost_usd_maximum, previous.cost_usd ?? '0'),
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
export const sumChange = (before: PeriodCalls, now: PeriodCalls, weightsOf: WeightsOf): ChangeTotals => {
  const [previous, current] = [sideOf(before), sideOf(now)];
  const sides = { current, previous, change_range_usd: rangeOf(previous, current) };
  if (previous.cost_usd === null || current.cost_usd === null) {
    return { ...sides, change_usd: null, parts: null };
  }
  const [earlier, later] = [callsByModel(before.shown), callsByModel(now.shown)];
  const changeOf = (key: string) => ({
    before: earlier.get(key) ?? NO_CALLS,
    now: later.get(key) ?? NO_CALLS,
  });
  const models = [...new Set([...earlier.keys(), ...later.keys()])].filter((key) => key !== HIDDEN);
  return {
    ...sides,
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
