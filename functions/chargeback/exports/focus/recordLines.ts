import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import type { CostExplanation } from '../../../../schemas/attribution/costExplanation.ts';
import type { ShownCohort } from '../../../ledger/cohorts/cohortIndex.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { type Charge, chargesOf } from './charge.ts';
import { chargePeriodOf } from './chargePeriod.ts';
import { footprintsOf } from './footprint.ts';
import type { Line, LineKey } from './line.ts';
import { type Grain, SEVERAL, shownDimensionsOf, TOTAL_PRICE } from './shownDimensions.ts';

/** The price is null when each line has its own. */
type SharedKey = Omit<LineKey, 'price' | 'consumed'> & { readonly price: LineKey['price'] | null };
type PricedRecord = AttributionRecord & { readonly cost_usd: string };

/** Method and version of a figure; null when the figure is unknown. */
const methodOf = (
  figure: string | null,
  explained: { readonly method: string; readonly version: string } | null,
): string | null => {
  if (figure === null) return null;
  return explained === null ? 'unstated' : `${explained.method}/${explained.version}`;
};

/**
 * The key members shared by all lines of a record, with the labels of the cohort in which reports count it. Without the model,
 * the price and the methods would tell it. A row of a single call exists only where the cohort has that call's labels and day.
 */
const sharedKeyOf = (
  { record, explanation }: Attribution,
  grain: Grain,
  cohort: ShownCohort | null,
): SharedKey => {
  const { energy, carbon } = explanation;
  const occurredAt = Date.parse(record.occurred_at);
  const at = cohort?.at ?? occurredAt;
  const isMoved = cohort !== null && (occurredAt < at || at + cohort.length <= occurredAt);
  const shown = shownDimensionsOf(cohort?.labels ?? {}, grain);
  const isModelShown =
    shown.servedModel === record.served_model && cohort?.labels.provider === record.provider;
  const isCall = grain.granularity === 'record' && shown.rollup === null && isModelShown && !isMoved;
  const granularity = grain.granularity === 'record' && !isCall ? 'day' : grain.granularity;
  const shownMethod = (method: string | null) => (method === null || isModelShown ? method : SEVERAL);
  return {
    ...chargePeriodOf(isMoved ? at : occurredAt, granularity),
    ...shown,
    price: isModelShown ? null : TOTAL_PRICE,
    requestedModel: isCall ? record.requested_model : null,
    recordId: isCall ? record.id : null,
    invocationId: isCall ? record.invocation_id : null,
    energyMethod: shownMethod(methodOf(record.energy_wh, energy)),
    carbonMethod: shownMethod(methodOf(record.carbon_gco2e, carbon)),
  };
};

const keyOf = (shared: SharedKey, { price, unit }: Charge): LineKey => ({
  ...shared,
  price: shared.price ?? price,
  consumed: unit,
});

/** One line for each meter of a record. Each line has its own cost. Energy and carbon are divided among the lines. */
const meteredLines = (
  attribution: Attribution,
  record: PricedRecord,
  cost: CostExplanation,
  shared: SharedKey,
): Line[] => {
  const charges = chargesOf(record, cost);
  const footprints = footprintsOf(charges, record, attribution.explanation.energy);
  return charges.map((charge, index) => ({
    key: keyOf(shared, charge),
    amounts: {
      consumed: charge.consumed,
      priced: charge.priced,
      cost: charge.cost,
      // Beside a hidden price, the published one would tell the model.
      listCost: shared.price === null ? charge.listCost : charge.cost,
      energy: footprints[index]?.energy ?? 0n,
      carbon: footprints[index]?.carbon ?? 0n,
      confidence: record.interpretation.confidence,
      records: index === 0 ? 1 : 0,
    },
  }));
};

/**
 * The lines of one exported record, which reports count in `cohort`. Their cost, energy and carbon sum to those of the
 * record exactly. Throws a RangeError on a record without a cost, which `exclusionOf` excludes.
 */
export const linesOf = (
  attribution: Attribution,
  grain: Grain,
  cohort: ShownCohort | null,
): readonly Line[] => {
  const { record, explanation } = attribution;
  const { cost_usd } = record;
  if (explanation.cost === null || cost_usd === null)
    throw new RangeError('A record without a cost has no lines.');
  const shared = sharedKeyOf(attribution, grain, cohort);
  return meteredLines(attribution, { ...record, cost_usd }, explanation.cost, shared);
};
