import { CHARGEBACK_FLOOR } from '../../../../../schemas/values.ts';
import type { PredictionOutcome } from './predictionOutcome.ts';

/** Precision that charged predictions must have. */
const PRECISION_MINIMUM = 0.95;
/**
 * Standard errors by which predictions of a label must fall short of it. With two, labels stay that are charged wrongly: with half
 * of the calls labelled, a precision in money of .90 instead of .95 (measured).
 */
const MISTAKEN_STANDARD_ERRORS = 1;
/** Standard errors that the observed precision must exceed it by. More cost coverage on hard traffic (measured). */
const STANDARD_ERRORS = 0.5;
/** Effective number of outcomes above a threshold. With fewer their precision proves nothing. */
const OUTCOMES_MINIMUM = 20;
const STEP = 0.01;

/** The share of right outcomes by Laplace's rule of succession, its standard error, and the effective number of outcomes. */
const precisionOf = (outcomes: readonly PredictionOutcome[]) => {
  let [weight, squares, right] = [0, 0, 0];
  for (const outcome of outcomes) {
    weight += outcome.weight;
    squares += outcome.weight ** 2;
    if (outcome.isRight) right += outcome.weight;
  }
  const calls = squares === 0 ? 0 : weight ** 2 / squares;
  const precision = ((calls === 0 ? 0 : right / weight) * calls + 1) / (calls + 2);
  return { calls, precision, error: Math.sqrt((precision * (1 - precision)) / calls) };
};

const hasPrecision = (outcomes: readonly PredictionOutcome[], outcomesMinimum: number): boolean => {
  const { calls, precision, error } = precisionOf(outcomes);
  return calls >= outcomesMinimum && precision - STANDARD_ERRORS * error >= PRECISION_MINIMUM;
};

/**
 * Whether confident predictions of one label are wrong too often. The precision of all predictions together does not show it, and
 * such a label makes the threshold of the others higher.
 */
export const isMistaken = (outcomes: readonly PredictionOutcome[]): boolean => {
  const { precision, error } = precisionOf(outcomes.filter(({ score }) => score >= CHARGEBACK_FLOOR));
  return precision + MISTAKEN_STANDARD_ERRORS * error < PRECISION_MINIMUM;
};

/**
 * The least confidence from which predictions have the required precision, by past outcomes with the confidence that they
 * had (risk control as in learn-then-test, Angelopoulos et al. 2021). Exact confidences alone do not suffice: predictions
 * that are right four times in five may have a confidence of .80. `isAcceptable` states what else a threshold must meet. 1 when
 * none suffices.
 */
export const chargeThreshold = (
  outcomes: readonly PredictionOutcome[],
  {
    outcomesMinimum = OUTCOMES_MINIMUM,
    isAcceptable = () => true,
  }: {
    readonly outcomesMinimum?: number | undefined;
    readonly isAcceptable?: (threshold: number) => boolean;
  } = {},
): number => {
  for (let threshold = CHARGEBACK_FLOOR; threshold < 1; threshold += STEP) {
    const above = outcomes.filter(({ score }) => score >= threshold);
    if (hasPrecision(above, outcomesMinimum) && isAcceptable(threshold)) return threshold;
  }
  return 1;
};
