import * as z from 'zod';
import { Calibration, calibrateScore, UNCALIBRATED } from './calibration/isotonic.ts';
import { type Point, type RegionTree, valueAt } from './densityRatioTree.ts';

/** The least confidence of a prediction that may be charged, and what its confidence is worth. */
export const Admission = z.object({
  threshold: z.number(),
  /**
   * From the confidence of a prediction that may be charged to the share of such predictions that is right. The rule selects
   * the better part of the predictions of a confidence, so the confidence alone is too low. Absent in older artefacts.
   */
  calibration: Calibration.default(UNCALIBRATED),
});
export type Admission = z.infer<typeof Admission>;

/** Which predictions may be charged: those with enough confidence, in regions where labelled calls support the label. */
export interface ChargeRule {
  /** By label number: 1 in regions where labelled calls support the label, otherwise 0. */
  readonly supported: ReadonlyMap<number, RegionTree>;
  readonly first: Admission;
  /** For records that an earlier model left open. These are harder, so past outcomes that were refused decide it. */
  readonly again: Admission;
}

/** Admits nothing. */
const NONE: Admission = { threshold: 1, calibration: UNCALIBRATED };

/** Charges nothing. */
export const NO_CHARGE: ChargeRule = { supported: new Map(), first: NONE, again: NONE };

/** Whether labelled calls support a label, by its regions, at a point. */
export const isSupported = (regions: RegionTree | undefined, point: Point): boolean =>
  valueAt(regions ?? 0, point) === 1;

/** The confidence with which a prediction of a label, with its regions, may be charged. Null if it may not. */
export const chargedConfidence = (
  { threshold, calibration }: Admission,
  regions: RegionTree | undefined,
  point: Point,
  confidence: number,
): number | null =>
  confidence >= threshold && isSupported(regions, point) ? calibrateScore(calibration, confidence) : null;
