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

const decayed = <Outcome extends TimedOutcome>(
  outcomes: readonly Outcome[],
  now: number,
  halfLife: number,
): Outcome[] =>
  outcomes.map((outcome) => ({
    ...outcome,
    weight: outcome.weight * 0.5 ** (Math.max(0, now - outcome.at) / halfLife),
  }));

/** Kish's effective sample size: the number of calls of equal weight with the same precision. */
export const effectiveSize = (outcomes: readonly Pick<TimedOutcome, 'weight'>[]): number => {
  let [weight, squares] = [0, 0];
  for (const outcome of outcomes) {
    weight += outcome.weight;
    squares += outcome.weight ** 2;
  }
  return squares === 0 ? 0 : weight ** 2 / squares;
};

/**
 * Weights outcomes by their age at the time of the newest one. The half-life is the shortest that leaves enough outcomes: a
 * busy tenant is calibrated on its last hours, a quiet one on its last weeks.
 */
export const weightByRecency = <Outcome extends TimedOutcome>(outcomes: readonly Outcome[]): Outcome[] => {
  const now = outcomes.at(-1)?.at ?? 0;
  let weighted: Outcome[] = [];
  for (const halfLife of HALF_LIVES_MS) {
    weighted = decayed(outcomes, now, halfLife);
    if (effectiveSize(weighted) >= OUTCOMES_MINIMUM) break;
  }
  return weighted;
};
