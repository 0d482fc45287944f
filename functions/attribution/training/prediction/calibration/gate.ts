import type { GateReport } from '../../../../../schemas/attribution/models.ts';
import { clopperPearsonLower } from './clopperPearson.ts';
import {
  binsOf,
  capConfidence,
  chanceError,
  computeMetrics,
  confidentOutcomes,
  overConfidence,
} from './metrics.ts';
import type { PredictionOutcome } from './predictionOutcome.ts';
import { effectiveSize } from './recency.ts';

/** Thresholds of the publication gate (policy). */
const LABELLED_MINIMUM = 500;
const OVER_CONFIDENCE_MAXIMUM = 0.02;
const PRECISION_MINIMUM = 0.9;

type CriterionName =
  | 'labelled_events'
  | 'over_confidence'
  | 'precision_lower_bound'
  | 'accuracy_over_heuristic';

/** Input of {@link evaluateGate}. */
export interface GateInput {
  /** Number of labelled examples. */
  readonly labelled: number;
  /** Recent outcomes of the model on labelled events, each predicted from earlier data. `score`: the confidence. */
  readonly model: readonly PredictionOutcome[];
  /** Outcomes of the heuristic on the same events. */
  readonly heuristic: readonly PredictionOutcome[];
}

/** Fewest calls of a bin that the report shows: the k of k-anonymity. */
const BIN_CALLS_MINIMUM = 5;

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

const reliabilityOf = (outcomes: readonly PredictionOutcome[]): GateReport['reliability'] =>
  binsOf(outcomes.map(capConfidence)).flatMap(({ n, confidence, accuracy }) =>
    n < BIN_CALLS_MINIMUM ? [] : [{ calls: n, confidence: round(confidence), accuracy: round(accuracy) }],
  );

const checkCriterion = (
  name: CriterionName,
  value: number | null,
  bound: { readonly at_least: number } | { readonly at_most: number },
): GateReport['criteria'][number] => ({
  criterion: name,
  value: value === null ? null : round(value),
  ...bound,
  passed: value !== null && ('at_least' in bound ? value >= bound.at_least : value <= bound.at_most),
});

/**
 * The over-confidence of records above that which exact confidences show by chance: half of their calibration error, as
 * deviations to both sides are equally likely. With a few hundred events chance alone exceeds the limit, so without this a
 * small tenant could never pass. Under-confidence is not tested: it withholds charges, but charges nobody wrongly.
 */
const excessOverConfidence = (outcomes: readonly PredictionOutcome[]): number | null => {
  const bins = binsOf(outcomes.map(capConfidence));
  return outcomes.length === 0 ? null : Math.max(0, overConfidence(bins) - chanceError(bins) / 2);
};

/** Lower confidence bound of the precision. */
const precisionBound = (outcomes: readonly PredictionOutcome[]): number | null => {
  const confident = confidentOutcomes(outcomes);
  const { precision } = computeMetrics(confident);
  if (precision === null) return null;
  const calls = effectiveSize(confident);
  return clopperPearsonLower(precision * calls, calls);
};

/**
 * The accuracy of the model above that of the heuristic, plus one standard error: where both are right for nearly every
 * call, a single call must not decide.
 */
const accuracyOverHeuristic = ({ model, heuristic }: GateInput): number | null => {
  if (model.length === 0) return null;
  const [own, other] = [computeMetrics(model).accuracy, computeMetrics(heuristic).accuracy];
  return own - other + Math.sqrt((own * (1 - own) + other * (1 - other)) / effectiveSize(model));
};

/** Evaluates the publication gate: whether a trained model may replace the heuristic. */
export const evaluateGate = (input: GateInput): GateReport => {
  const { labelled, model } = input;
  const criteria = [
    checkCriterion('labelled_events', labelled, { at_least: LABELLED_MINIMUM }),
    checkCriterion('over_confidence', excessOverConfidence(model), { at_most: OVER_CONFIDENCE_MAXIMUM }),
    checkCriterion('precision_lower_bound', precisionBound(model), { at_least: PRECISION_MINIMUM }),
    checkCriterion('accuracy_over_heuristic', accuracyOverHeuristic(input), { at_least: 0 }),
  ];
  return {
    passed: criteria.every(({ passed }) => passed),
    criteria,
    tested: model.length,
    reliability: reliabilityOf(model),
  };
};
