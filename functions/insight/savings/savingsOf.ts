import type { Saving } from '../../../schemas/insight/savings.ts';
import type { PriceFactors } from '../../impact/price/listCost.ts';
import { tierTerms } from '../../impact/price/rules/serviceTier.ts';
import { isSoldAtFlex } from '../../impact/usage/modelAdvice.ts';
import { modelIdentity } from '../../impact/usage/modelIdentity.ts';
import { invocationsOf } from '../../ledger/cohorts/cohortTotals.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import type { Calendar } from '../../platform/shared/time/calendar.ts';
import { possibleCallsOf, type SelectedCohorts } from '../reports/hiddenCalls.ts';
import { callsOf, type TokenWeights, type WeightsAt } from '../reports/modelCalls.ts';
import { addPrevious, buildRows } from '../reports/reportRows.ts';
import { weightsFrom } from '../reports/tokenPrices.ts';
import { batch, factorOf } from './batch.ts';
import { failedCalls } from './failedCalls.ts';
import { longContext } from './longContext.ts';
import { promptCaching } from './promptCaching.ts';
import { replacementModel } from './replacementModel.ts';
import type { SavingsPeriod, ServiceCalls } from './serviceCalls.ts';
import type { Suggest, TierFactorOf } from './suggestion.ts';

/** Kinds whose figures follow from sums of whole cohorts, and those whose figures can be of fewer than five persons. */
const KINDS_OF_COHORTS: readonly Suggest[] = [promptCaching, batch, replacementModel];
const KINDS_OF_CALLS: readonly Suggest[] = [failedCalls, longContext];

const GROUP = ['owner', 'service', 'provider', 'served_model'] as const;

const tierFactorFrom =
  ({ prices, rules }: PriceFactors): TierFactorOf =>
  (tier, provider, model, at) => {
    const sheet = prices.find(provider, model, at, 0, null);
    const listed = factorOf(sheet?.input ?? null, sheet?.tiers[tier]?.input);
    if (listed !== null) return listed;
    // The rule of the tier says what a call costs, not which models are sold at it.
    if (tier === 'flex' && !isSoldAtFlex(provider, model)) return null;
    const { stated } = tierTerms(rules, {
      provider: sheet?.soldBy ?? provider,
      model: sheet?.pricedModel ?? model,
      at,
      tier,
    });
    return stated === null || decimal(stated).gte('1') ? null : decimal(stated);
  };

const isSame = (one: TokenWeights | null, other: TokenWeights): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The calls of each owner and service to each model that is shown and has prices. Owner and service can be hidden. */
const serviceCalls = (
  now: SelectedCohorts,
  before: SelectedCohorts | null,
  { at, starts }: SavingsPeriod,
  calendar: Calendar,
  weightsAt: WeightsAt,
): ServiceCalls[] => {
  const rowsOf = ({ matching }: SelectedCohorts) => buildRows(matching, GROUP, null, calendar);
  const rows = before === null ? rowsOf(now) : addPrevious(rowsOf(now), rowsOf(before));
  return rows.flatMap((row) => {
    const { kind, values, cohorts: own, previous } = row;
    const { owner, service, provider, served_model: model } = values;
    if (typeof provider !== 'string' || typeof model !== 'string') return [];
    const weights = weightsAt(provider, model, at);
    if (weights === null) return [];
    return [
      {
        header: {
          kind,
          ...(owner !== undefined && { owner }),
          ...(service !== undefined && { service }),
          provider,
          served_model: model,
        },
        identity: modelIdentity(provider, model),
        cohorts: own,
        calls: callsOf(own),
        before: previous === undefined ? null : { cohorts: previous, calls: callsOf(previous) },
        hidden: () =>
          [now, ...(before === null ? [] : [before])].reduce(
            (total, selected) => total + invocationsOf(possibleCallsOf(row, selected)),
            0,
          ),
        isPriceUnchanged: starts.every((start) => isSame(weightsAt(provider, model, start), weights)),
        weights,
      },
    ];
  });
};

/**
 * The suggestions for the cohorts of a period. `before` are those of the period before, null if it may lack calls. Every figure
 * follows from sums of whole cohorts and prices, but those of failed and of long calls, which can be of fewer than five
 * persons: `showsCalls`. Import this file dynamically: it contains the price catalogue.
 */
export const savingsOf = (
  now: SelectedCohorts,
  before: SelectedCohorts | null,
  period: SavingsPeriod,
  calendar: Calendar,
  showsCalls: boolean,
  factors: PriceFactors,
): Saving[] => {
  const weightsAt = weightsFrom(factors.prices);
  const all = serviceCalls(now, before, period, calendar, weightsAt);
  const context = { all, period, weightsAt, tierFactorOf: tierFactorFrom(factors) };
  const kinds = showsCalls ? [...KINDS_OF_COHORTS, ...KINDS_OF_CALLS] : KINDS_OF_COHORTS;
  return all.flatMap((own) => kinds.flatMap((suggest) => suggest(own, context) ?? []));
};
