import { type Calibration, calibrate, calibrated, type Outcome } from './calibration/isotonic.ts';

/** An outcome of a period, by the order of periods. */
export interface Dated extends Outcome {
  readonly period: number;
}

/** Outcomes that a calibration is made of: enough for its tails, recent enough for today (measured). */
const WINDOW = 20_000;
/** Earlier outcomes that a first calibration needs. */
const FIRST = 100;

/** The calibration for the period after these outcomes. */
export const latestCalibration = (outcomes: readonly Dated[]): Calibration =>
  calibrate(outcomes.slice(-WINDOW));

/**
 * Calibrates each period on earlier ones only, as in production: every outcome but the first is a test of what came
 * before it, so a small tenant needs no part of its data set aside. Outcomes by ascending period.
 */
export const calibratedForward = (outcomes: readonly Dated[]): Dated[] => {
  const tested: Dated[] = [];
  for (const period of new Set(outcomes.map((outcome) => outcome.period))) {
    const from = outcomes.findIndex((outcome) => outcome.period === period);
    if (from < FIRST) continue;
    const calibration = latestCalibration(outcomes.slice(0, from));
    for (const outcome of outcomes.slice(from)) {
      if (outcome.period !== period) break;
      tested.push({ ...outcome, score: calibrated(calibration, outcome.score) });
    }
  }
  return tested;
};
