import { CHARGEBACK_FLOOR, CONFIDENCE_CEILING } from '../../../../../schemas/values.ts';
import type { PredictionOutcome } from './predictionOutcome.ts';

/** Number of bins of a reliability diagram. It is fixed, because the calibration error depends on it. */
export const BINS = 15;

/** The predictions whose confidence lies in one of {@link BINS} equal intervals. */
export interface Bin {
  /** Number of predictions. */
  readonly n: number;
  readonly weight: number;
  /** Sum of squared weights, for the effective sample size. */
  readonly squares: number;
  /** Mean confidence and share of right predictions. 0 for an empty bin. */
  readonly confidence: number;
  readonly accuracy: number;
  /** Variance of the share of right predictions, if each confidence were exact. */
  readonly variance: number;
}

const binOf = (confidence: number): number => Math.min(BINS - 1, Math.floor(confidence * BINS));

/** The reliability diagram of outcomes. `score` is the confidence. */
export const binsOf = (outcomes: readonly PredictionOutcome[]): Bin[] => {
  const sums = Array.from({ length: BINS }, () => ({
    n: 0,
    weight: 0,
    squares: 0,
    score: 0,
    right: 0,
    spread: 0,
  }));
  for (const { score, isRight, weight } of outcomes) {
    const bin = sums[binOf(score)];
    if (bin === undefined) continue;
    bin.n += 1;
    bin.weight += weight;
    bin.squares += weight * weight;
    bin.score += weight * score;
    bin.right += isRight ? weight : 0;
    bin.spread += weight * weight * score * (1 - score);
  }
  return sums.map(({ n, weight, squares, score, right, spread }) => {
    const by = weight === 0 ? 1 : weight;
    return { n, weight, squares, confidence: score / by, accuracy: right / by, variance: spread / (by * by) };
  });
};

const totalOf = (bins: readonly Bin[]): number => bins.reduce((sum, { weight }) => sum + weight, 0) || 1;

/** Expected calibration error: mean distance between confidence and accuracy (Naeini et al. 2015). */
export const calibrationError = (bins: readonly Bin[]): number =>
  bins.reduce((sum, bin) => sum + bin.weight * Math.abs(bin.confidence - bin.accuracy), 0) / totalOf(bins);

/** The calibration error that exact confidences would show by chance: mean of the half-normal distribution in each bin. */
export const chanceError = (bins: readonly Bin[]): number =>
  bins.reduce((sum, bin) => sum + bin.weight * Math.sqrt((2 * bin.variance) / Math.PI), 0) / totalOf(bins);

/** The part of the calibration error from bins whose confidence exceeds their accuracy. */
export const overConfidence = (bins: readonly Bin[]): number =>
  bins.reduce((sum, bin) => sum + bin.weight * Math.max(0, bin.confidence - bin.accuracy), 0) / totalOf(bins);

/** Quality of predictions. Shares are 0..1. */
interface Metrics {
  readonly accuracy: number;
  /** Share of right predictions among those confident enough for chargeback. Null without one. */
  readonly precision: number | null;
}

/** The outcome with the confidence that its record has. */
export const capConfidence = (outcome: PredictionOutcome): PredictionOutcome => ({
  ...outcome,
  score: Math.min(outcome.score, CONFIDENCE_CEILING),
});

const sumOf = (
  outcomes: readonly PredictionOutcome[],
  value: (outcome: PredictionOutcome) => number,
): number => outcomes.reduce((sum, outcome) => sum + outcome.weight * value(outcome), 0);

export const confidentOutcomes = (outcomes: readonly PredictionOutcome[]): PredictionOutcome[] =>
  outcomes.filter(({ score }) => score >= CHARGEBACK_FLOOR);

/** Computes the metrics of outcomes. `score` is the confidence before the ceiling. */
export const computeMetrics = (outcomes: readonly PredictionOutcome[]): Metrics => {
  const confident = confidentOutcomes(outcomes);
  const right = ({ isRight }: PredictionOutcome): number => (isRight ? 1 : 0);
  return {
    accuracy: sumOf(outcomes, right) / (sumOf(outcomes, () => 1) || 1),
    precision: confident.length === 0 ? null : sumOf(confident, right) / sumOf(confident, () => 1),
  };
};
