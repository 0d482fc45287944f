import { calibrate, calibrateScore } from '../calibration/isotonic.ts';
import type { PredictionOutcome } from '../calibration/predictionOutcome.ts';
import { weightByRecency } from '../calibration/recency.ts';
import { knownShares } from '../openSetCorrection.ts';
import { ratiosOf } from './learnPeriod.ts';
import type { PastPrediction, TrainingState } from './trainingState.ts';

/** Outcomes needed for the first calibration. */
const FIRST_CALIBRATION_OUTCOMES = 100;
/** Predictions below this confidence are never charged back, so the open-set correction ignores them. */
const PLAUSIBLE_CONFIDENCE = 0.6;

/** An outcome with its confidence at the time of the prediction, null before the first calibration. */
interface TimedOutcome extends PredictionOutcome {
  readonly at: number;
  readonly confidence: number | null;
}

/** The outcomes of predictions for labelled calls. Each represents the unlabelled calls of its label. */
const modelOutcomes = ({ predictions }: TrainingState, ratios: Float64Array): TimedOutcome[] =>
  predictions.flatMap(({ at, score, confidence, predicted, truth }) =>
    truth === null
      ? []
      : [{ at, score, confidence, isRight: predicted === truth, weight: ratios[truth] ?? 1 }],
  );

const heuristicOutcomes = ({ heuristicPredictions }: TrainingState, ratios: Float64Array): TimedOutcome[] =>
  heuristicPredictions.map(({ truth, ...outcome }) => ({ ...outcome, weight: ratios[truth] ?? 1 }));

const calibrateRecent = (outcomes: readonly TimedOutcome[]) =>
  outcomes.length < FIRST_CALIBRATION_OUTCOMES ? null : calibrate(weightByRecency(outcomes));

/** Fits the calibrations and the open-set correction to the past predictions. The next period is predicted with them. */
export const fitConfidence = (state: TrainingState): void => {
  const ratios = ratiosOf(state);
  const calibration = calibrateRecent(modelOutcomes(state, ratios));
  const isPlausible = ({ score }: PastPrediction): boolean =>
    calibration !== null && calibrateScore(calibration, score) >= PLAUSIBLE_CONFIDENCE;
  const plausible = state.predictions
    .filter(isPlausible)
    .map(({ predicted, point, truth }) => ({ label: predicted, truth, point }));
  state.confidence = {
    calibration,
    knownShares: knownShares(plausible),
    heuristicCalibration: calibrateRecent(heuristicOutcomes(state, ratios)),
  };
};

/**
 * The outcomes that test the publication gate: each with the confidence that the service would have given, from earlier
 * calls only, and weighted by recency. So every later outcome is a test outcome, and no data has to be held out.
 */
export const testOutcomes = (
  state: TrainingState,
): { readonly model: PredictionOutcome[]; readonly heuristic: PredictionOutcome[] } => {
  const tested = (outcomes: readonly TimedOutcome[]): PredictionOutcome[] =>
    weightByRecency(outcomes.filter(({ confidence }) => confidence !== null)).map(
      ({ confidence, isRight, weight }) => ({ score: confidence ?? 0, isRight, weight }),
    );
  const ratios = ratiosOf(state);
  return {
    model: tested(modelOutcomes(state, ratios)),
    heuristic: tested(heuristicOutcomes(state, ratios)),
  };
};
