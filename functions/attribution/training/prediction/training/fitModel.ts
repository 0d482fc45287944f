import { ADVISORY_CEILING, CHARGEBACK_FLOOR } from '../../../../../schemas/values.ts';
import { chargeThreshold } from '../calibration/chargeThreshold.ts';
import { calibrate, calibrateScore } from '../calibration/isotonic.ts';
import type { PredictionOutcome } from '../calibration/predictionOutcome.ts';
import { weightByRecency } from '../calibration/recency.ts';
import { type Admission, isSupported } from '../chargeRule.ts';
import { fitOpenSet, knownShareAt } from '../openSetCorrection.ts';
import { confidentShare, strangerShare, totalWeight } from '../strangers.ts';
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

type ModelOutcome = TimedOutcome & Pick<PastPrediction, 'charged' | 'predicted' | 'point'>;

type Scored = Pick<PastPrediction, 'score' | 'predicted' | 'point'>;

/** The outcomes of predictions for labelled calls. Each represents the unlabelled calls of its label. */
const modelOutcomes = ({ predictions }: TrainingState, ratios: Float64Array): ModelOutcome[] =>
  predictions.flatMap(({ at, score, confidence, charged, predicted, point, truth }) =>
    truth === null
      ? []
      : [
          {
            at,
            score,
            confidence,
            charged,
            predicted,
            point,
            isRight: predicted === truth,
            weight: ratios[truth] ?? 1,
          },
        ],
  );

/** The outcome with the confidence that its record has. */
const recordedOutcome = (outcome: ModelOutcome): ModelOutcome =>
  outcome.confidence === null
    ? outcome
    : { ...outcome, confidence: outcome.charged ?? Math.min(outcome.confidence, ADVISORY_CEILING) };

const heuristicOutcomes = ({ heuristicPredictions }: TrainingState, ratios: Float64Array): TimedOutcome[] =>
  heuristicPredictions.map(({ truth, ...outcome }) => ({ ...outcome, weight: ratios[truth] ?? 1 }));

const calibrateRecent = (outcomes: readonly TimedOutcome[]) =>
  outcomes.length < FIRST_CALIBRATION_OUTCOMES ? null : calibrate(weightByRecency(outcomes));

/**
 * The calls of held-out services as wrong outcomes, weighted like the calls of services that never label in the traffic
 * that `members` represent.
 */
const strangerOutcomes = (
  { predictions }: TrainingState,
  members: readonly ModelOutcome[],
  confidenceOf: (prediction: Scored) => number,
  labelAlike: boolean,
): ModelOutcome[] => {
  const all = weightByRecency(predictions.map((prediction) => ({ ...prediction, weight: 1 })));
  const heldOut = all.filter(({ truth }) => truth !== null);
  const isConfident = (prediction: Scored | null): boolean =>
    prediction !== null && confidenceOf(prediction) >= CHARGEBACK_FLOOR;
  const share = strangerShare(
    {
      members: confidentShare(members, isConfident),
      open: confidentShare(
        all.filter(({ truth }) => truth === null),
        isConfident,
      ),
      strangers: confidentShare(heldOut, ({ stranger }) => isConfident(stranger)),
    },
    labelAlike,
  );
  const factor = ((share / (1 - share)) * totalWeight(members)) / (totalWeight(heldOut) || 1);
  return heldOut.flatMap(({ stranger, at, weight }) =>
    stranger === null
      ? []
      : [
          {
            ...stranger,
            at,
            weight: weight * factor,
            confidence: confidenceOf(stranger),
            isRight: false,
            charged: null,
          },
        ],
  );
};

/**
 * The admission by past outcomes and held-out calls, with at least the threshold `least`. The share of strangers is mostly
 * assumed, so it decides what is charged, and not the confidence of that.
 */
const admissionOf = (
  members: readonly PredictionOutcome[],
  strangers: readonly PredictionOutcome[],
  least = 0,
): Admission => {
  const threshold = Math.max(least, chargeThreshold([...members, ...strangers]));
  return { threshold, calibration: calibrate(members.filter(({ score }) => score >= threshold)) };
};

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
  const members = weightByRecency(model);
  const confidenceOf = ({ score, predicted, point }: Scored): number =>
    calibration === null
      ? 0
      : calibrateScore(calibration, score) * knownShareAt(knownShares.get(predicted), point);
  const strangers = strangerOutcomes(state, members, confidenceOf, labelAlike);
  const supportedOutcomes = (outcomes: readonly ModelOutcome[]): PredictionOutcome[] =>
    outcomes.flatMap(({ confidence, predicted, point, isRight, weight }) =>
      confidence !== null && isSupported(supported.get(predicted), point)
        ? [{ score: confidence, isRight, weight }]
        : [],
    );
  const refused = members.filter(({ charged }) => charged === null);
  const held = supportedOutcomes(strangers);
  const first = admissionOf(supportedOutcomes(members), held);
  const again = admissionOf(supportedOutcomes(refused), held, first.threshold);
  state.confidence = {
    calibration,
    knownShares,
    chargeRule: { supported, first, again },
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
    model: tested(modelOutcomes(state, ratios).map(recordedOutcome)),
    heuristic: tested(heuristicOutcomes(state, ratios)),
  };
};
