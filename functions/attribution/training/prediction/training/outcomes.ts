import { TRAINING_INTERVAL_MS } from '../../../../../schemas/attribution/models.ts';
import { ADVISORY_CEILING } from '../../../../../schemas/values.ts';
import type { PredictionOutcome } from '../calibration/predictionOutcome.ts';
import { weightByRecency } from '../calibration/recency.ts';
import { ratiosOf } from './learnPeriod.ts';
import type { PastPrediction, TrainingState } from './trainingState.ts';

/** An outcome with its confidence at the time of the prediction, null before the first calibration. */
export interface TimedOutcome extends PredictionOutcome {
  readonly at: number;
  readonly confidence: number | null;
}

export type ModelOutcome = TimedOutcome & Pick<PastPrediction, 'charged' | 'predicted' | 'point'>;

export type Scored = Pick<PastPrediction, 'score' | 'predicted' | 'point'>;

/** The outcomes of predictions for labelled calls. Each represents the unlabelled calls of its label. */
export const modelOutcomes = ({ predictions }: TrainingState, ratios: Float64Array): ModelOutcome[] =>
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

const periodOf = ({ at }: TimedOutcome): number => Math.floor(at / TRAINING_INTERVAL_MS);

/**
 * The predictions that were refused while others of their period were charged. While a rule admits nothing, it refuses easy ones
 * too, which would make the precision of refused ones too high.
 */
export const refusedOutcomes = (outcomes: readonly ModelOutcome[]): ModelOutcome[] => {
  const admitting = new Set(outcomes.filter(({ charged }) => charged !== null).map(periodOf));
  return outcomes.filter((outcome) => outcome.charged === null && admitting.has(periodOf(outcome)));
};

/** The outcome with the confidence that its record has. */
const recordedOutcome = (outcome: ModelOutcome): ModelOutcome =>
  outcome.confidence === null
    ? outcome
    : { ...outcome, confidence: outcome.charged ?? Math.min(outcome.confidence, ADVISORY_CEILING) };

export const heuristicOutcomes = (
  { heuristicPredictions }: TrainingState,
  ratios: Float64Array,
): TimedOutcome[] =>
  heuristicPredictions.map(({ truth, ...outcome }) => ({ ...outcome, weight: ratios[truth] ?? 1 }));

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
