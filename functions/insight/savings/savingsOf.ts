import type { Saving } from '../../../schemas/insight/savings.ts';
import { listPrices } from '../../impact/price/lists/listPrices.ts';
import { tierTerms } from '../../impact/price/rules/serviceTier.ts';
import { modelIdentity } from '../../impact/usage/modelIdentity.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import type { Calendar } from '../../platform/shared/time/calendar.ts';
import { callsOf, NO_CALLS } from '../reports/modelCalls.ts';
import { buildRows } from '../reports/reportRows.ts';
import { tokenWeights } from '../reports/tokenWeights.ts';
import { type BatchFactorOf, batch, factorOf } from './batch.ts';
import { promptCaching } from './promptCaching.ts';
import { replacementModel } from './replacementModel.ts';
import type { SavingsPeriod, ServiceCalls } from './serviceCalls.ts';

const GROUP = ['owner', 'service', 'provider', 'served_model'] as const;

const batchFactorOf: BatchFactorOf = (provider, model, at) => {
  const sheet = listPrices.prices.find(provider, model, at, 0, null);
  const listed = factorOf(sheet?.input ?? null, sheet?.tiers.batch?.input);
  if (listed !== null) return listed;
  const { stated } = tierTerms(listPrices.rules, { provider, model, at, tier: 'batch' });
  return stated === null || decimal(stated).gte('1') ? null : decimal(stated);
};

/** The calls of each owner and service to each model that is shown and has list prices. Owner and service can be hidden. */
const serviceCalls = (
  cohorts: readonly Cohort[],
  before: readonly Cohort[] | null,
  at: Date,
  calendar: Calendar,
): ServiceCalls[] => {
  const rowsOf = (some: readonly Cohort[]) => buildRows(some, GROUP, null, calendar);
  const earlier = before && new Map(rowsOf(before).map((row) => [row.sortKey, callsOf(row.cohorts)]));
  return rowsOf(cohorts).flatMap(({ kind, values, cohorts: own, sortKey }) => {
    const { owner, service, provider, served_model: model } = values;
    if (typeof provider !== 'string' || typeof model !== 'string') return [];
    const weights = tokenWeights(provider, model, at);
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
        before: earlier && (earlier.get(sortKey) ?? NO_CALLS),
        weights,
      },
    ];
  });
};

/**
 * The suggestions for the cohorts of a period. `before` are those of the period before, null if it may lack calls. Every figure
 * follows from sums of whole cohorts and published prices. Import this file dynamically: it contains the price catalogue.
 */
export const savingsOf = (
  cohorts: readonly Cohort[],
  before: readonly Cohort[] | null,
  period: SavingsPeriod,
  calendar: Calendar,
): Saving[] => {
  const all = serviceCalls(cohorts, before, period.at, calendar);
  const weightsOf = (provider: string, model: string) => tokenWeights(provider, model, period.at);
  return all.flatMap((own) =>
    [
      promptCaching(own, all, period),
      batch(own, batchFactorOf, period),
      replacementModel(own, weightsOf, period),
    ].filter((saving) => saving !== null),
  );
};
