import { calibrate } from '../calibration/isotonic.ts';
import { weightByRecency } from '../calibration/recency.ts';
import { isWithinBudget } from '../calibration/strangerBudget.ts';
import type { Admission } from '../chargeRule.ts';
import { type MixtureShares, oddsOf, shareOf, strangerShare } from '../openSet/strangers.ts';
import type { LearnedTrace, TrainingState } from './trainingState.ts';

/** Outcomes needed. They fit a share or two instead of a curve. */
const FIRST_OUTCOMES = 20;

/** Standard errors by which a trace must name open calls less often, before too many strangers forbid a charge. */
const STANDARD_ERRORS = 2;

/**
 * How often a trace names calls of services that label, open calls, and calls of services that never label. No other call of such
 * a service names an owner, so a trace names its calls only if calls of other services are in it. Null without an open call.
 */
const sharesByTrace = (calls: readonly LearnedTrace[]): MixtureShares | null => {
  const counted = calls.map((call) => ({ ...call, weight: 1 }));
  const named = counted.filter(({ isNamed }) => isNamed);
  const open = counted.filter(({ isNamed }) => !isNamed);
  if (open.length === 0) return null;
  return {
    members: shareOf(named, ({ score }) => score !== null),
    open: shareOf(open, ({ score }) => score !== null),
    strangers: shareOf(named, ({ stranger }) => stranger !== null),
  };
};

/**
 * By the confidence of the rule that reads a trace: which of its names may be charged, and how many of them are right. Calls that
 * name their owner are the outcomes. Each of them shows, too, what its trace would name a call of a service that never labels.
 */
export const fitTraces = ({ tracedCalls }: TrainingState): Admission | null => {
  const named = tracedCalls.filter(({ isNamed }) => isNamed);
  const outcomes = named.flatMap(({ at, score, isRight }) =>
    score === null ? [] : [{ at, score, isRight, weight: 1, size: 1 }],
  );
  if (outcomes.length < FIRST_OUTCOMES) return null;
  const shares = sharesByTrace(tracedCalls);
  const strangers = (standardErrors: number) => {
    const weight = shares === null ? 0 : oddsOf(strangerShare(shares, standardErrors));
    return named.flatMap(({ at, stranger }) =>
      stranger === null || weight === 0 ? [] : [{ at, score: stranger, isRight: false, weight, size: 1 }],
    );
  };
  const certain = strangers(STANDARD_ERRORS);
  const confidences = [0, ...new Set(named.flatMap(({ score, stranger }) => [score ?? 0, stranger ?? 0]))];
  const likely = [...outcomes, ...strangers(0)].toSorted((a, b) => a.at - b.at);
  return {
    threshold:
      confidences.toSorted((a, b) => a - b).find((from) => isWithinBudget(outcomes, certain, from)) ?? 1,
    calibration: calibrate(weightByRecency(likely)),
  };
};
