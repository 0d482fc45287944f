import * as z from 'zod';
import { formatFixedPoint, parseFixedPoint, StoredFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { JointRanges } from '../../../../schemas/insight/reports.ts';
import {
  jointEstimateRange,
  jointPriceRange,
  type SumByModel,
  UNKNOWN_ESTIMATE,
  UNKNOWN_SPREAD,
} from '../../../ledger/cohorts/jointRange.ts';

/** A sum with the sums of the ends of its parts, in units of 1e-12. */
const RangeSum = z.object({ low: StoredFixedPoint, central: StoredFixedPoint, high: StoredFixedPoint });
type RangeSum = z.infer<typeof RangeSum>;

const quantities = ['cost', 'energy', 'carbon'] as const;
type SummedQuantity = (typeof quantities)[number];

/**
 * Sums of exported records by quantity and model. Null: calls whose model is not told apart. Unknown values are in no sum.
 */
export type ModelSums = Readonly<Record<SummedQuantity, ReadonlyMap<string | null, RangeSum>>>;

/** Models that are told apart. The calls of any further model are added without a reduction of their range. */
const MODELS_MAXIMUM = 2_000;

export const noModelSums: ModelSums = { cost: new Map(), energy: new Map(), carbon: new Map() };

interface Ends {
  readonly low: string;
  readonly central: string;
  readonly high: string;
}

/** The range of one record or cohort in fixed point. */
export const rangeSumOf = ({ low, central, high }: Ends): RangeSum => ({
  low: parseFixedPoint(low),
  central: parseFixedPoint(central),
  high: parseFixedPoint(high),
});

/** Collects the sums of models, in any order. */
export class ModelSumsCounter {
  readonly #sums: Record<SummedQuantity, Map<string | null, RangeSum>> = {
    cost: new Map(),
    energy: new Map(),
    carbon: new Map(),
  };

  add(quantity: SummedQuantity, model: string | null, { low, central, high }: RangeSum): void {
    const sums = this.#sums[quantity];
    const name = sums.has(model) || sums.size < MODELS_MAXIMUM ? model : null;
    const known = sums.get(name);
    sums.set(
      name,
      known === undefined
        ? { low, central, high }
        : { low: known.low + low, central: known.central + central, high: known.high + high },
    );
  }

  addAll(all: ModelSums): void {
    for (const quantity of quantities) {
      for (const [model, sum] of all[quantity]) this.add(quantity, model, sum);
    }
  }

  get sums(): ModelSums {
    return this.#sums;
  }
}

const textOf = (sums: ReadonlyMap<string | null, RangeSum>): SumByModel =>
  new Map(
    [...sums].map(([model, { low, central, high }]) => [
      model,
      { low: formatFixedPoint(low), central: formatFixedPoint(central), high: formatFixedPoint(high) },
    ]),
  );

/** The joint ranges of the total of `records` records. They are null for a quantity that is unknown for all of them. */
export const jointRangesOf = (sums: ModelSums, records: number): JointRanges => {
  const isUnknown = (quantity: SummedQuantity): boolean => records > 0 && sums[quantity].size === 0;
  return {
    cost_usd: isUnknown('cost') ? UNKNOWN_SPREAD : jointPriceRange(textOf(sums.cost)),
    energy_wh: isUnknown('energy') ? UNKNOWN_ESTIMATE : jointEstimateRange(textOf(sums.energy)),
    carbon_gco2e: isUnknown('carbon') ? UNKNOWN_ESTIMATE : jointEstimateRange(textOf(sums.carbon)),
  };
};

const StoredSums = z.array(z.tuple([z.string().nullable(), RangeSum]));

/** JSON form of the sums in work documents. */
export const StoredModelSums = z.codec(
  z.object({ cost: StoredSums, energy: StoredSums, carbon: StoredSums }),
  z.custom<ModelSums>(),
  {
    decode: ({ cost, energy, carbon }) => ({
      cost: new Map(cost),
      energy: new Map(energy),
      carbon: new Map(carbon),
    }),
    encode: ({ cost, energy, carbon }) => ({ cost: [...cost], energy: [...energy], carbon: [...carbon] }),
  },
);
