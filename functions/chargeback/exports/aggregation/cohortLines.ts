import { Interpretation } from '../../../../schemas/attribution/attributionRecord.ts';
import { parseFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { ExclusionReason } from '../../../../schemas/focus.ts';
import { CHARGEBACK_FLOOR } from '../../../../schemas/values.ts';
import { modelIdentity } from '../../../impact/usage/modelIdentity.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../../ledger/cohorts/cohortTotals.ts';
import { ONE } from '../focus/charge.ts';
import { chargePeriodOf } from '../focus/chargePeriod.ts';
import type { Line, LineKey } from '../focus/line.ts';
import { MergedLines } from '../focus/mergedLines.ts';
import type { Grain } from '../focus/recordLines.ts';
import { addExcluded, type Summary } from './aggregator.ts';
import { ModelSumsCounter, rangeSumOf } from './modelSums.ts';
import { addRecordTotals, type RecordTotals, zeroTotals } from './recordTotals.ts';
import { SEVERAL } from './suppressLine.ts';

const [CHARGEBACK_READY] = Interpretation.shape.confidence_band.options;

interface CohortFigures {
  readonly totals: RecordTotals;
  readonly ranges: Readonly<Record<'cost' | 'energy' | 'carbon', ReturnType<typeof rangeSumOf>>>;
  readonly isKnown: { readonly cost: boolean; readonly energy: boolean; readonly carbon: boolean };
}

const sumUp = (cohort: Cohort): CohortFigures => {
  const { invocations, cost_usd, energy_wh, carbon_gco2e } = figuresOf([cohort], (figures) => ({
    ...figures,
    persons: [],
  }));
  return {
    totals: {
      records: invocations,
      cost: parseFixedPoint(cost_usd.central),
      energy: parseFixedPoint(energy_wh.central),
      carbon: parseFixedPoint(carbon_gco2e.central),
    },
    ranges: {
      cost: rangeSumOf(cost_usd),
      energy: rangeSumOf(energy_wh),
      carbon: rangeSumOf(carbon_gco2e),
    },
    isKnown: {
      cost: cost_usd.unknown < invocations,
      energy: energy_wh.unknown < invocations,
      carbon: carbon_gco2e.unknown < invocations,
    },
  };
};

/**
 * Why a whole cohort is excluded; null when it is exported. A cohort with records above and below the confidence floor is
 * excluded: its rows would charge records below the floor, and to separate them would show sums of too few persons.
 */
const cohortExclusionOf = ({ labels }: Cohort, { isKnown }: CohortFigures): ExclusionReason | null => {
  const bands: readonly (string | null | undefined)[] = Interpretation.shape.confidence_band.options;
  if (!bands.includes(labels.confidence_band)) return 'mixed_confidence';
  if (labels.confidence_band !== CHARGEBACK_READY) return 'below_floor';
  return isKnown.cost ? null : 'unpriced';
};

/** The level that remains of a cohort whose labels are suppressed. Null when all labels of the row are shown. */
const rollupOf = ({ labels }: Cohort, { groupBy }: Grain): LineKey['rollup'] => {
  const { owner, service, provider, served_model, pathway_category } = labels;
  const isShown =
    (!groupBy.has('owner') || owner !== undefined) &&
    (!groupBy.has('service') || service !== undefined) &&
    (!groupBy.has('pathway_category') || pathway_category !== undefined) &&
    provider !== undefined &&
    served_model !== undefined;
  if (isShown) return null;
  if (groupBy.has('service') && service !== undefined) return 'Service';
  return provider === undefined ? 'Tenant' : 'Provider';
};

const known = (isKnown: boolean): string | null => (isKnown ? SEVERAL : null);

/** The line of a cohort: one request with a stated cost. Meters, price lists and regions are those of single calls. */
const lineOf = (cohort: Cohort, { totals, isKnown }: CohortFigures, grain: Grain): Line => {
  const { owner = null, service = null, provider, served_model, pathway_category } = cohort.labels;
  const identity = modelIdentity(provider ?? SEVERAL, served_model ?? SEVERAL);
  const granularity = grain.granularity === 'record' ? 'day' : grain.granularity;
  const pathway = pathway_category === 'unknown' ? null : (pathway_category ?? null);
  return {
    key: {
      ...chargePeriodOf(cohort.at, granularity),
      owner: grain.groupBy.has('owner') ? owner : null,
      service: grain.groupBy.has('service') ? service : null,
      provider: identity.provider,
      model: identity.model,
      servedModel: served_model ?? SEVERAL,
      pathway: grain.groupBy.has('pathway_category') ? pathway : null,
      region: null,
      requestedModel: null,
      recordId: null,
      invocationId: null,
      // `priceAsSingleRequest` sets the price after equal lines are merged.
      price: { meter: 'total', per: 'each', unit: '0', list: SEVERAL, terms: 'stated' },
      consumed: 'Requests',
      energyMethod: known(isKnown.energy),
      carbonMethod: known(isKnown.carbon),
      split: null,
      rollup: rollupOf(cohort, grain),
    },
    amounts: {
      consumed: BigInt(totals.records) * ONE,
      priced: ONE,
      cost: totals.cost,
      energy: totals.energy,
      carbon: totals.carbon,
      confidence: CHARGEBACK_FLOOR,
    },
  };
};

/**
 * The lines and the summary of cohorts that a caller of this lane sees. Each line, total and exclusion is a union of
 * cohorts, so it can be subtracted from reports without a result for one to four persons. All of them add up to the
 * usage report of the same period.
 */
export const aggregateCohorts = (
  cohorts: readonly Cohort[],
  grain: Grain,
): { readonly lines: readonly Line[]; readonly summary: Summary } => {
  const lines = new MergedLines();
  const excluded = new Map<ExclusionReason, RecordTotals>();
  const models = new ModelSumsCounter();
  let ledger = zeroTotals;
  let [groups, cost] = [0, 0n];
  for (const cohort of cohorts) {
    const figures = sumUp(cohort);
    ledger = addRecordTotals(ledger, figures.totals);
    const reason = cohortExclusionOf(cohort, figures);
    if (reason !== null) {
      addExcluded(excluded, reason, figures.totals);
      continue;
    }
    const line = lineOf(cohort, figures, grain);
    lines.add(line);
    // The model that the cohort shows, so the ranges tell nothing about the models within it.
    for (const quantity of ['cost', 'energy', 'carbon'] as const) {
      if (figures.isKnown[quantity])
        models.add(quantity, cohort.labels.served_model ?? null, figures.ranges[quantity]);
    }
    if (line.key.rollup !== null) [groups, cost] = [groups + 1, cost + figures.totals.cost];
  }
  const summary = { cohorts: [], ledger, excluded, models: models.sums, folded: { groups, cost } };
  return { lines: lines.sorted(), summary };
};
