import type { PredictionOutcome } from './predictionOutcome.ts';

/** An outcome with the size of its call: input tokens, and output tokens at the four times that most models charge for them. */
export interface SizedOutcome extends PredictionOutcome {
  readonly size: number;
}

/** The part of what is charged that may be of services that never label, in calls and in money. */
const STRANGERS_MAXIMUM = 0.005;

/**
 * Whether few enough calls of strangers would be charged from a confidence on, by number and by size. The precision of all
 * charges alone permits ten times as many, and a few large calls of one service are most of the money that is charged wrongly.
 */
export const isWithinBudget = (
  members: readonly SizedOutcome[],
  strangers: readonly SizedOutcome[],
  from: number,
): boolean =>
  [() => 1, ({ size }: SizedOutcome) => size].every((amountOf) => {
    const charged = (outcomes: readonly SizedOutcome[]): number =>
      outcomes.reduce(
        (sum, outcome) => (outcome.score >= from ? sum + outcome.weight * amountOf(outcome) : sum),
        0,
      );
    const wrong = charged(strangers);
    return wrong <= STRANGERS_MAXIMUM * (wrong + charged(members));
  });
