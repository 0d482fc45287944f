import { type Calibration, calibrate, calibrateScore } from './calibration/isotonic.ts';
import type { PredictionOutcome } from './calibration/predictionOutcome.ts';

/** An outcome with the number of its period. Numbers ascend in time. */
export interface PeriodOutcome extends PredictionOutcome {
  readonly period: number;
}

/** Newest outcomes used for a calibration: enough for its tails, and recent enough (measured). */
const WINDOW_OUTCOMES = 20_000;
/** Outcomes needed for the first calibration. */
const FIRST_CALIBRATION_OUTCOMES = 100;

/** The calibration for the period after these outcomes. */
export const calibrateLatest = (outcomes: readonly PeriodOutcome[]): Calibration =>
  calibrate(outcomes.slice(-WINDOW_OUTCOMES));

/**
 * Walk-forward calibration: calibrates each period on earlier periods only, as in production. Every later outcome is a
 * test outcome, so no data has to be held out. Outcomes must be in order of periods.
 */
export const calibrateWalkForward = (outcomes: readonly PeriodOutcome[]): PeriodOutcome[] => {
  const tested: PeriodOutcome[] = [];
  for (const period of new Set(outcomes.map((outcome) => outcome.period))) {
    const from = outcomes.findIndex((outcome) => outcome.period === period);
    if (from < FIRST_CALIBRATION_OUTCOMES) continue;
    const calibration = calibrateLatest(outcomes.slice(0, from));
    for (const outcome of outcomes.slice(from)) {
      if (outcome.period !== period) break;
      tested.push({ ...outcome, score: calibrateScore(calibration, outcome.score) });
    }
  }
  return tested;
};
