import { type Point, type RegionTree, valueAt } from './densityRatioTree.ts';

/** Which predictions may be charged: those with enough confidence, in regions where labelled calls support the label. */
export interface ChargeRule {
  /** Least confidence. */
  readonly threshold: number;
  /** By label number: 1 in regions where labelled calls support the label, otherwise 0. */
  readonly supported: ReadonlyMap<number, RegionTree>;
}

/** Charges nothing. */
export const NO_CHARGE: ChargeRule = { threshold: 1, supported: new Map() };

/** Whether a prediction may be charged. */
export const isChargeable = (
  { threshold, supported }: ChargeRule,
  label: number,
  point: Point,
  confidence: number,
): boolean => {
  const regions = supported.get(label);
  return confidence >= threshold && regions !== undefined && valueAt(regions, point) === 1;
};
