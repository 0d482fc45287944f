import type { GateReport } from '../../../schemas/models.ts';
import { clopperPearsonLower } from './clopperPearson.ts';
import { binsOf, calibrationError, chanceError, computeMetrics, confidentOutcomes } from './metrics.ts';
import type { PredictionOutcome } from './predictionOutcome.ts';

/** Thresholds of the publication gate (policy). */
const LABELLED_MINIMUM = 500;
const CALIBRATION_ERROR_MAXIMUM = 0.02;
const PRECISION_MINIMUM = 0.9;

type CriterionName =
  | 'labelled_events'
  | 'calibration_error'
  | 'precision_lower_bound'
  | 'accuracy_over_heuristic';

/** Input of {@link evaluateGate}. */
export interface GateInput {
  /** Number of labelled examples. */
  readonly labelled: number;
  /** Outcomes of the model on labelled events, each predicted and calibrated from earlier data. `score`: the confidence. */
  readonly model: readonly PredictionOutcome[];
  /** Outcomes of the heuristic on the same events. */
  readonly heuristic: readonly PredictionOutcome[];
}

const checkCriterion = (
  name: CriterionName,
  value: number | null,
  bound: { readonly at_least: number } | { readonly at_most: number },
): GateReport['criteria'][number] => ({
  criterion: name,
  value: value === null ? null : Math.round(value * 10_000) / 10_000,
  ...bound,
  passed: value !== null && ('at_least' in bound ? value >= bound.at_least : value <= bound.at_most),
});

/**
 * The calibration error above the error that exact confidences show by chance. With a few hundred events the error by
 * chance alone exceeds the limit, so without this a small tenant could never pass.
 */
const excessCalibrationError = (outcomes: readonly PredictionOutcome[]): number | null => {
  const bins = binsOf(outcomes);
  return outcomes.length === 0 ? null : Math.max(0, calibrationError(bins) - chanceError(bins));
};

/** Lower confidence bound of the precision. Uses Kish's effective sample size, because events have weights. */
const precisionBound = (outcomes: readonly PredictionOutcome[]): number | null => {
  const confident = confidentOutcomes(outcomes);
  const weight = confident.reduce((sum, outcome) => sum + outcome.weight, 0);
  const squares = confident.reduce((sum, outcome) => sum + outcome.weight ** 2, 0);
  const { precision } = computeMetrics(confident);
  if (precision === null) return null;
  const calls = (weight * weight) / squares;
  return clopperPearsonLower(precision * calls, calls);
};

/** Evaluates the publication gate: whether a trained model may replace the heuristic. */
export const evaluateGate = ({ labelled, model, heuristic }: GateInput): GateReport => {
  const criteria = [
    checkCriterion('labelled_events', labelled, { at_least: LABELLED_MINIMUM }),
    checkCriterion('calibration_error', excessCalibrationError(model), {
      at_most: CALIBRATION_ERROR_MAXIMUM,
    }),
    checkCriterion('precision_lower_bound', precisionBound(model), { at_least: PRECISION_MINIMUM }),
    checkCriterion(
      'accuracy_over_heuristic',
      model.length === 0 ? null : computeMetrics(model).accuracy - computeMetrics(heuristic).accuracy,
      { at_least: 0 },
    ),
  ];
  return { passed: criteria.every(({ passed }) => passed), criteria, tested: model.length };
};
