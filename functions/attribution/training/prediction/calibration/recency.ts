import { DAY_MS, HOUR_MS } from '../../../../../schemas/durations.ts';

/** Half-lives of the weight of an outcome, shortest first. */
const HALF_LIVES_MS = [6 * HOUR_MS, 12 * HOUR_MS, DAY_MS, 96 * HOUR_MS, 28 * DAY_MS];
/** Effective number of outcomes that a calibration needs. With fewer its tails are noise (measured). */
const OUTCOMES_MINIMUM = 2_000;

/** An outcome at a time (epoch milliseconds), with the number of calls that it represents. */
interface TimedOutcome {
  readonly at: number;
  readonly weight: number;
}

/** Kish's effective sample size: the number of calls of equal weight with the same precision. */
const effectiveSizeOf = (weights: Iterable<number>): number => {
  let [total, squares] = [0, 0];
  for (const weight of weights) {
    total += weight;
    squares += weight ** 2;
  }
  return squares === 0 ? 0 : total ** 2 / squares;
};

export const effectiveSize = (outcomes: readonly Pick<TimedOutcome, 'weight'>[]): number =>
  effectiveSizeOf(outcomes.map(({ weight }) => weight));

/**
 * Weights outcomes by their age at the time of the newest one. The half-life is the shortest that leaves enough outcomes: a
 * busy tenant is calibrated on its last hours, a quiet one on its last weeks.
 */
export const weightByRecency = <Outcome extends TimedOutcome>(outcomes: readonly Outcome[]): Outcome[] => {
  const now = outcomes.at(-1)?.at ?? 0;
  let weights = new Float64Array(0);
  for (const halfLife of HALF_LIVES_MS) {
    weights = Float64Array.from(
      outcomes,
      ({ at, weight }) => weight * 0.5 ** (Math.max(0, now - at) / halfLife),
    );
    if (effectiveSizeOf(weights) >= OUTCOMES_MINIMUM) break;
  }
  return outcomes.map((outcome, at) => ({ ...outcome, weight: weights[at] ?? 0 }));
};
