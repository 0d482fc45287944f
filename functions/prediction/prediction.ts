import type { Observation } from './observation.ts';

/** Who probably made a call. */
export interface Prediction {
  readonly label: string;
  /** Calibrated probability that the label is right, 0..1, before the ceiling of the service. */
  readonly confidence: number;
  /** The call names somebody that no labelled call ever named. */
  readonly novel: boolean;
  /** Who else it may have been, the most probable first; at most three. */
  readonly alternatives: readonly Alternative[];
}

export interface Alternative {
  readonly label: string;
  readonly probability: number;
}

/** Predicts who made a call; null where nothing is known. */
export interface Predictor {
  predict(observation: Observation): Prediction | null;
}

/** Digits that the last bits of logarithms, which differ between machines, cannot reach. */
const DIGITS = 10_000;
const ALTERNATIVES_MAXIMUM = 3;

export const roundProbability = (probability: number): number => Math.round(probability * DIGITS) / DIGITS;

/** The rest of the probability, shared out in proportion. `beliefs`: the label itself first, then the others. */
export const alternativesOf = (
  confidence: number,
  beliefs: readonly { readonly label: string; readonly share: number }[],
): Alternative[] => {
  const rest = 1 - (beliefs[0]?.share ?? 1);
  return beliefs
    .slice(1, 1 + ALTERNATIVES_MAXIMUM)
    .map(({ label, share }) => ({
      label,
      probability: roundProbability(rest <= 0 ? 0 : (share / rest) * (1 - confidence)),
    }))
    .filter(({ probability }) => probability > 0);
};
