import { parseFixedPoint } from '../../../schemas/attribution/allocation.ts';
import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import type { AllocationTrace, CostExplanation } from '../../../schemas/attribution/explanation.ts';
import type { ExportField, Granularity } from '../../../schemas/focus.ts';
import { modelIdentity } from '../../impact/modelIdentity.ts';
import type { Attribution } from '../../ledger/attribution.ts';
import { apportion, formatFixedPoint } from '../../shared/largestRemainder.ts';
import { type Charge, chargesOf, statedCharge } from './charge.ts';
import { chargePeriodOf } from './chargePeriod.ts';
import { footprintsOf } from './footprint.ts';
import type { Line, LineKey } from './line.ts';

/** What lines are told apart by, beside their price. */
export interface Grain {
  readonly granularity: Granularity;
  readonly groupBy: ReadonlySet<ExportField>;
}

type Shared = Omit<LineKey, 'price' | 'consumed' | 'split'>;
type Priced = AttributionRecord & { readonly cost_usd: string };

/** How a figure came about; null where there is none. */
const methodOf = (
  figure: string | null,
  explained: { readonly method: string; readonly version: string } | null,
): string | null => {
  if (figure === null) return null;
  return explained === null ? 'unstated' : `${explained.method}/${explained.version}`;
};

/** What all lines of a record share. What nobody asked to tell apart is left out, so that it cannot be told. */
const sharedKeyOf = ({ record, explanation }: Attribution, { granularity, groupBy }: Grain): Shared => {
  const { energy, carbon } = explanation;
  const identity = modelIdentity(record.provider, record.served_model);
  const isRecord = granularity === 'record';
  const valueIfGrouped = <Value>(field: ExportField, value: Value): Value | null =>
    groupBy.has(field) ? value : null;
  return {
    ...chargePeriodOf(Date.parse(record.occurred_at), granularity),
    owner: valueIfGrouped('owner', record.owner),
    service: valueIfGrouped('service', record.service),
    provider: identity.provider,
    model: identity.model,
    servedModel: record.served_model,
    // FOCUS has no word for unknown but an empty cell.
    pathway:
      record.pathway_category === 'unknown'
        ? null
        : valueIfGrouped('pathway_category', record.pathway_category),
    region: valueIfGrouped('region', record.region),
    requestedModel: isRecord ? record.requested_model : null,
    recordId: isRecord ? record.id : null,
    invocationId: isRecord ? record.invocation_id : null,
    energyMethod: methodOf(record.energy_wh, energy),
    carbonMethod: methodOf(record.carbon_gco2e, carbon),
    rollup: null,
  };
};

const keyOf = (shared: Shared, { price, unit }: Charge, split: LineKey['split']): LineKey => ({
  ...shared,
  price,
  consumed: unit,
  split,
});

/** A record by meter: energy and carbon are divided among the lines, each cost stands where it arose. */
const meteredLines = (
  attribution: Attribution,
  record: Priced,
  cost: CostExplanation,
  shared: Shared,
): Line[] => {
  const charges = chargesOf(record, cost);
  const footprints = footprintsOf(charges, record, attribution.explanation.energy);
  return charges.map((charge, index) => ({
    key: keyOf(shared, charge, null),
    amounts: {
      consumed: charge.consumed,
      priced: charge.priced,
      cost: charge.cost,
      energy: footprints[index]?.energy ?? 0n,
      carbon: footprints[index]?.carbon ?? 0n,
      confidence: record.interpretation.confidence,
    },
  }));
};

/**
 * A record nobody was named for, by who bears it: one line for each part, and one for what stays unallocated. A part has
 * no price per token that its cost would follow from exactly, so it is a stated cost; what was consumed is divided too.
 */
const splitLines = (
  record: Priced,
  { catalogue }: CostExplanation,
  { method, version, parts }: AllocationTrace,
  shared: Shared,
): Line[] => {
  const { input_tokens: input, output_tokens: output } = record;
  const whole = statedCharge(
    'total',
    parseFixedPoint(record.cost_usd),
    catalogue,
    input === null || output === null ? null : input + output,
  );
  const ratios = parts.map(({ ratio }, index) => ({ key: String(index), weight: parseFixedPoint(ratio) }));
  const consumed = apportion(formatFixedPoint(whole.consumed), ratios);
  return parts.map((part, index) => {
    const cost = parseFixedPoint(part.cost_usd ?? '0');
    const charge = { ...statedCharge('total', cost, catalogue, null), unit: whole.unit };
    const split = { method: `${method}/${version}`, ratio: part.ratio, bearer: part.owner };
    return {
      key: keyOf(shared, charge, split),
      amounts: {
        consumed: parseFixedPoint(consumed[index]?.amount ?? '0'),
        priced: charge.priced,
        cost,
        energy: parseFixedPoint(part.energy_wh ?? '0'),
        carbon: parseFixedPoint(part.carbon_gco2e ?? '0'),
        confidence: record.interpretation.confidence,
      },
    };
  });
};

/**
 * The lines of one record that is to be exported; their costs, energy and carbon sum to the record's, exactly. Throws a
 * RangeError on a record without a cost: see `exclusionOf`.
 */
export const linesOf = (attribution: Attribution, grain: Grain): readonly Line[] => {
  const { record, explanation } = attribution;
  const { cost, allocation } = explanation;
  const { cost_usd } = record;
  if (cost === null || cost_usd === null) throw new RangeError('a record without a cost has no lines');
  const shared = sharedKeyOf(attribution, grain);
  const priced = { ...record, cost_usd };
  return allocation === undefined || record.output_state !== 'allocated'
    ? meteredLines(attribution, priced, cost, shared)
    : splitLines(priced, cost, allocation, shared);
};
