import { Interpretation } from '../../../../schemas/attribution/attributionRecord.ts';
import type { ExclusionReason } from '../../../../schemas/chargeback/focus.ts';
import { parseFixedPoint } from '../../../../schemas/fixedPoint.ts';
import { CHARGEBACK_FLOOR } from '../../../../schemas/values.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { figuresOf } from '../../../ledger/cohorts/cohortTotals.ts';
import { ONE } from '../focus/charge.ts';
import { chargePeriodOf } from '../focus/chargePeriod.ts';
import type { Line } from '../focus/line.ts';
import { type Grain, SEVERAL, shownDimensionsOf, TOTAL_PRICE } from '../focus/shownDimensions.ts';
import type { Summary } from './aggregator.ts';
import { addExcluded } from './correctedTotals.ts';
import { FoldedGroups } from './foldedGroups.ts';
import { ModelSumsCounter, rangeSumOf } from './modelSums.ts';
import { addRecordTotals, type RecordTotals, zeroTotals } from './recordTotals.ts';

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

const known = (isKnown: boolean): string | null => (isKnown ? SEVERAL : null);

/** The line of a cohort: one request with a stated cost. Meters and price lists are those of single calls. */
const lineOf = (cohort: Cohort, { totals, isKnown }: CohortFigures, grain: Grain): Line => {
  const granularity = grain.granularity === 'record' ? 'day' : grain.granularity;
  return {
    key: {
      ...chargePeriodOf(cohort.at, granularity),
      ...shownDimensionsOf(cohort.labels, grain),
      requestedModel: null,
      recordId: null,
      invocationId: null,
      price: TOTAL_PRICE,
      consumed: 'Requests',
      energyMethod: known(isKnown.energy),
      carbonMethod: known(isKnown.carbon),
    },
    amounts: {
      consumed: BigInt(totals.records) * ONE,
      priced: ONE,
      cost: totals.cost,
      listCost: totals.cost,
      energy: totals.energy,
      carbon: totals.carbon,
      confidence: CHARGEBACK_FLOOR,
      records: totals.records,
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
  const lines: Line[] = [];
  const excluded = new Map<ExclusionReason, RecordTotals>();
  const models = new ModelSumsCounter();
  let ledger = zeroTotals;
  const folded = new FoldedGroups();
  for (const [position, cohort] of cohorts.entries()) {
    const figures = sumUp(cohort);
    ledger = addRecordTotals(ledger, figures.totals);
    const reason = cohortExclusionOf(cohort, figures);
    if (reason !== null) {
      addExcluded(excluded, reason, figures.totals);
      continue;
    }
    const line = lineOf(cohort, figures, grain);
    lines.push(line);
    // The model that the cohort shows, so the ranges tell nothing about the models within it.
    for (const quantity of ['cost', 'energy', 'carbon'] as const) {
      if (figures.isKnown[quantity])
        models.add(quantity, cohort.labels.served_model ?? null, figures.ranges[quantity]);
    }
    // No other partition has cohorts that are counted at this time.
    folded.add(`${cohort.at}:${position}`, line);
  }
  const summary = {
    ledger,
    idle: zeroTotals,
    excluded,
    models: models.sums,
    folded: folded.folded,
    corrected: new Map(),
  };
  return { lines, summary };
};
