import { type Calibration, calibrate, calibrateScore } from './calibration/isotonic.ts';
import type { PredictionOutcome } from './calibration/predictionOutcome.ts';

/** An outcome of a period, by the order of periods. */
export interface PeriodOutcome extends PredictionOutcome {
  readonly period: number;
}

/** Outcomes that a calibration is made of: enough for its tails, recent enough for today (measured). */
const WINDOW = 20_000;
/** Earlier outcomes that a first calibration needs. */
const FIRST = 100;

/** The calibration for the period after these outcomes. */
export const calibrateLatest = (outcomes: readonly PeriodOutcome[]): Calibration =>
  calibrate(outcomes.slice(-WINDOW));

/**
 * Calibrates each period on earlier ones only, as in production: every outcome but the first is a test of what came
 * before it, so a small tenant needs no part of its data set aside. Outcomes by ascending period.
 */
export const calibrateWalkForward = (outcomes: readonly PeriodOutcome[]): PeriodOutcome[] => {
  const tested: PeriodOutcome[] = [];
  for (const period of new Set(outcomes.map((outcome) => outcome.period))) {
    const from = outcomes.findIndex((outcome) => outcome.period === period);
    if (from < FIRST) continue;
    const calibration = calibrateLatest(outcomes.slice(0, from));
    for (const outcome of outcomes.slice(from)) {
      if (outcome.period !== period) break;
      tested.push({ ...outcome, score: calibrateScore(calibration, outcome.score) });
    }
  }
  return tested;
};
