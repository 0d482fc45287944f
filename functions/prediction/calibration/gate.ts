import type { GateReport } from '../../../schemas/models.ts';
import { clopperPearsonLower } from './clopperPearson.ts';
import { binsOf, calibrationError, chanceError, computeMetrics, confidentOutcomes } from './metrics.ts';
import type { PredictionOutcome } from './predictionOutcome.ts';

/** What a trained model must show before it may attribute (policy). */
const LABELLED_MINIMUM = 500;
const CALIBRATION_ERROR_MAXIMUM = 0.02;
const PRECISION_MINIMUM = 0.9;

type CriterionName =
  | 'labelled_events'
  | 'calibration_error'
  | 'precision_lower_bound'
  | 'accuracy_over_heuristic';

/** What the gate judges by. */
export interface GateInput {
  readonly labelled: number;
  /** Predictions of labelled events by what was learned and calibrated before them; `score` is the confidence. */
  readonly model: readonly PredictionOutcome[];
  /** The heuristic's, of the same events. */
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
 * Calibration error beyond what exact confidences would show by chance. With a few hundred events chance alone
 * exceeds the goal, and a small tenant could never pass, however good its model.
 */
const excessCalibrationError = (outcomes: readonly PredictionOutcome[]): number | null => {
  const bins = binsOf(outcomes);
  return outcomes.length === 0 ? null : Math.max(0, calibrationError(bins) - chanceError(bins));
};

/** Weighted events prove as much as their effective number (Kish) of equal ones. */
const precisionBound = (outcomes: readonly PredictionOutcome[]): number | null => {
  const sure = confidentOutcomes(outcomes);
  const weight = sure.reduce((sum, outcome) => sum + outcome.weight, 0);
  const squares = sure.reduce((sum, outcome) => sum + outcome.weight ** 2, 0);
  const { precision } = computeMetrics(sure);
  if (precision === null) return null;
  const calls = (weight * weight) / squares;
  return clopperPearsonLower(precision * calls, calls);
};

/** Whether a trained model may take the heuristic's place. */
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
