import type { MeasuredTrace } from '../../engine/inference.ts';
import type { Observation } from './observation.ts';

/** The predicted caller of a call. */
export interface Prediction {
  readonly label: string;
  /** Calibrated probability that the label is right, 0..1, before the confidence ceiling is applied. */
  readonly confidence: number;
  /** Whether the call has identity values that no labelled call had. */
  readonly novel: boolean;
  /** Whether the prediction must not be charged, whatever its confidence. */
  readonly advisory: boolean;
  /** Other possible labels, most probable first, at most three. */
  readonly alternatives: readonly Alternative[];
}

export interface Alternative {
  readonly label: string;
  readonly probability: number;
}

/** Predicts the caller of a call. Returns null without any data. */
export interface Predictor {
  /** `isAgain`: whether an earlier model left the owner or the service of the call open. */
  predict(observation: Observation, isAgain?: boolean): Prediction | null;
  /** What is measured of owners that traces name with a confidence of the rule. Null: nothing. */
  traced(confidence: number): MeasuredTrace | null;
}

/** Precision of probabilities. It hides the last bits of logarithms, which differ between machines. */
const PRECISION = 10_000;
const ALTERNATIVES_MAXIMUM = 3;

export const roundProbability = (probability: number): number =>
  Math.round(probability * PRECISION) / PRECISION;

/** Distributes the rest of the probability proportionally. `beliefs`: the predicted label first, then the others. */
export const alternativesOf = (
  confidence: number,
  posteriors: readonly { readonly label: string; readonly share: number }[],
): Alternative[] => {
  const rest = 1 - (posteriors[0]?.share ?? 1);
  return posteriors
    .slice(1, 1 + ALTERNATIVES_MAXIMUM)
    .map(({ label, share }) => ({
      label,
      probability: roundProbability(rest <= 0 ? 0 : (share / rest) * (1 - confidence)),
    }))
    .filter(({ probability }) => probability > 0);
};
