import { calibrate, calibrateScore } from '../calibration/isotonic.ts';
import type { PredictionOutcome } from '../calibration/predictionOutcome.ts';
import { weightByRecency } from '../calibration/recency.ts';
import { fitOpenSet, knownShareAt } from '../openSet/openSetCorrection.ts';
import { fitChargeRule } from './fitChargeRule.ts';
import { fitTraces } from './fitTraces.ts';
import { ratiosOf } from './learnPeriod.ts';
import { heuristicOutcomes, modelOutcomes, type Scored } from './outcomes.ts';
import type { PastPrediction, TrainingState } from './trainingState.ts';

/** Outcomes needed for the first calibration. */
const FIRST_CALIBRATION_OUTCOMES = 100;
/** Predictions below this confidence are never charged back, so the open-set correction ignores them. */
const PLAUSIBLE_CONFIDENCE = 0.6;

const calibrateRecent = (outcomes: readonly (PredictionOutcome & { readonly at: number })[]) =>
  outcomes.length < FIRST_CALIBRATION_OUTCOMES ? null : calibrate(weightByRecency(outcomes));

/** Fits the calibrations and the open-set correction to the past predictions. The next period is predicted with them. */
export const fitConfidence = (state: TrainingState): void => {
  const ratios = ratiosOf(state);
  const model = modelOutcomes(state, ratios);
  const calibration = calibrateRecent(model);
  const isPlausible = ({ score }: PastPrediction): boolean =>
    calibration !== null && calibrateScore(calibration, score) >= PLAUSIBLE_CONFIDENCE;
  const plausible = state.predictions
    .filter(isPlausible)
    .map(({ at, predicted, point, truth }) => ({ at, label: predicted, truth, point }));
  const { knownShares, supported, labelAlike } = fitOpenSet(plausible);
  const confidenceOf = ({ score, predicted, point }: Scored): number =>
    calibration === null
      ? 0
      : calibrateScore(calibration, score) * knownShareAt(knownShares.get(predicted), point);
  const chargeRule = fitChargeRule(state, model, { confidenceOf, supported, labelAlike });
  state.confidence = {
    calibration,
    knownShares,
    chargeRule,
    heuristicCalibration: calibrateRecent(heuristicOutcomes(state, ratios)),
    traces: fitTraces(state),
  };
};
