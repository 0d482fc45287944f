import {
  binsOf,
  calibrationError,
  overConfidence,
} from '../../functions/attribution/training/prediction/calibration/metrics.ts';
import type { BacktestResult, Outcome } from './backtest.ts';
import type { Protocol } from './protocols.ts';

/** A share of the calls and of their money. Null where there is nothing to divide by. */
interface Shares {
  readonly calls: number | null;
  readonly money: number | null;
}

interface Goal {
  readonly goal: string;
  /** Null without a call to measure it on. A goal that cannot be measured is not met. */
  readonly value: number | null;
  readonly bound: { readonly at_least: number } | { readonly at_most: number };
  readonly met: boolean;
}

/** The results of a protocol: what the records of calls that name no owner themselves show. */
export interface Findings {
  readonly protocol: string;
  readonly title: string;
  /** Calls that name no owner themselves, those before the first training included. */
  readonly open_calls: number;
  /** The part of the open calls whose record shows an owner. */
  readonly coverage: Shares;
  /** The part of the open calls whose record shows an owner at once, and not only after a day. */
  readonly covered_at_once: Shares;
  /** The part of the shown owners that are right. */
  readonly precision: Shares;
  /** Calls with a wrong owner: of services that never label if the protocol has any, or else of all open calls. */
  readonly wrong_shown: Shares;
  readonly wrong_charged: Shares;
  /** Expected calibration error of the shown probabilities. Null if no owner is shown. */
  readonly calibration_error: number | null;
  /** The part of it by which probabilities are too high. The rest comes from those that are too low. */
  readonly over_confidence: number | null;
  readonly trainings: {
    readonly trained: number;
    readonly passed: number;
    readonly failed: Readonly<Record<string, number>>;
  };
  readonly goals: readonly Goal[];
}

const shareOf = (part: readonly Outcome[], whole: readonly Outcome[]): Shares => {
  const money = (outcomes: readonly Outcome[]): number => outcomes.reduce((sum, { cost }) => sum + cost, 0);
  return {
    calls: whole.length === 0 ? null : part.length / whole.length,
    money: whole.length === 0 ? null : money(part) / money(whole),
  };
};

const atLeast = (goal: string, value: number | null, bound: number): Goal => ({
  goal,
  value,
  bound: { at_least: bound },
  met: value !== null && value >= bound,
});

const atMost = (goal: string, value: number | null, bound: number): Goal => ({
  goal,
  value,
  bound: { at_most: bound },
  met: value !== null && value <= bound,
});

type Figures = Omit<Findings, 'goals'>;

const goalsOf = ({ servicesPerKey }: Protocol, figures: Figures, hasSilent: boolean): Goal[] => [
  ...(hasSilent
    ? [
        atMost('calls shown under a wrong owner', figures.wrong_shown.calls, 0.05),
        atMost('money charged to a wrong owner', figures.wrong_charged.money, 0.005),
      ]
    : []),
  ...(servicesPerKey !== undefined && !hasSilent
    ? [
        atLeast('precision in money', figures.precision.money, 0.95),
        atLeast('coverage in money', figures.coverage.money, 0.7),
      ]
    : []),
  ...(figures.calibration_error === null
    ? []
    : [atMost('calibration error as shown', figures.calibration_error, 0.03)]),
];

/** Computes the figures of a run and compares them with the goals. */
export const findingsOf = (protocol: Protocol, { outcomes, trainings }: BacktestResult): Findings => {
  const shown = outcomes.filter(({ owner }) => owner !== null);
  const isRight = ({ owner, truth }: Outcome): boolean => owner === truth;
  const silent = outcomes.filter(({ isSilent }) => isSilent);
  const judged = silent.length > 0 ? silent : outcomes;
  const wrong = judged.filter((outcome) => outcome.owner !== null && !isRight(outcome));
  const failed = Map.groupBy(
    trainings.flatMap((training) => training.failed),
    (criterion) => criterion,
  );
  const scored = shown.map((outcome) => ({
    score: outcome.probability,
    isRight: isRight(outcome),
    weight: 1,
  }));
  const bins = binsOf(scored);
  const figures: Figures = {
    protocol: protocol.name,
    title: protocol.title,
    open_calls: outcomes.length,
    coverage: shareOf(shown, outcomes),
    covered_at_once: shareOf(
      shown.filter(({ isRetried }) => !isRetried),
      outcomes,
    ),
    precision: shareOf(shown.filter(isRight), shown),
    wrong_shown: shareOf(wrong, judged),
    wrong_charged: shareOf(
      wrong.filter(({ isCharged }) => isCharged),
      judged,
    ),
    calibration_error: shown.length === 0 ? null : calibrationError(bins),
    over_confidence: shown.length === 0 ? null : overConfidence(bins),
    trainings: {
      trained: trainings.length,
      passed: trainings.filter((training) => training.failed.length === 0).length,
      failed: Object.fromEntries([...failed].map(([criterion, all]) => [criterion, all.length])),
    },
  };
  return { ...figures, goals: goalsOf(protocol, figures, silent.length > 0) };
};
