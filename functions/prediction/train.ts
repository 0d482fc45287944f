import { accountedShares } from './accounted.ts';
import { type Artefact, storeCounts } from './artefact.ts';
import { type GateReport, judge } from './calibration/gate.ts';
import { calibrated } from './calibration/isotonic.ts';
import { calibratedForward, type Dated, latestCalibration } from './forward.ts';
import { guess, type Tallies, tally } from './heuristic.ts';
import { distil, type HeuristicTable } from './heuristicTable.ts';
import { namesByField } from './identities.ts';
import type { Example } from './observation.ts';
import { type Prepared, periodsOf, type Rehearsed, rehearse } from './rehearsal.ts';

export interface Training {
  readonly artefact: Artefact;
  readonly heuristic: HeuristicTable;
  readonly gate: GateReport;
}

export interface TrainingOptions {
  /** How long a model serves until the next is trained, in milliseconds. Default three hours. */
  readonly period?: number;
}

const HOUR = 3_600_000;
/** A short history is cut finer, so that something remains to calibrate and to test on; a long one coarser, for time. */
const PERIODS = { least: 10, most: 60 } as const;

const periodLength = (examples: readonly Example[], asked: number): number => {
  const span =
    (examples.at(-1)?.observation.occurredAt ?? 0) - (examples[0]?.observation.occurredAt ?? 0) + 1;
  return Math.max(span / PERIODS.most, Math.min(span / PERIODS.least, asked));
};

/** Predictions below this confidence are never charged back, so strangers among them do no harm. */
const PLAUSIBLE = 0.6;

/** The heuristic lives through the same past. `weightOf`: calls without labels that a labelled one stands for. */
const rehearseHeuristic = (
  periods: readonly (readonly Prepared[])[],
  weightOf: (label: string) => number,
) => {
  const tallies: Tallies = new Map();
  const outcomes: Dated[] = [];
  periods.forEach((calls, period) => {
    const labelled = calls.flatMap(({ observation, label }) =>
      label === null ? [] : [{ observation, label }],
    );
    // Nobody can predict what comes before the first label.
    for (const { observation, label } of tallies.size === 0 ? [] : labelled) {
      const best = guess(tallies, observation)?.labels[0];
      const right = best?.label === label;
      outcomes.push({ period, score: best?.share ?? 0, right, weight: weightOf(label) });
    }
    for (const { observation, label } of labelled) tally(tallies, observation, label);
  });
  return { tallies, outcomes };
};

const ascending = (hashes: ReadonlySet<number>): number[] => [...hashes].sort((a, b) => a - b);

/**
 * Trains a model and the heuristic on examples in time order, and judges whether the model may be published.
 * Equal examples give equal bytes. Examples must never carry a label that inference itself gave.
 */
export const train = (
  examples: readonly Example[],
  { period = 3 * HOUR }: TrainingOptions = {},
): Training => {
  const periods = periodsOf(examples, periodLength(examples, period));
  const { counts, temperature, shares, ratios, rehearsed, identities } = rehearse(periods);
  const isRight = ({ predicted, label }: Rehearsed): boolean => counts.labels[predicted] === label;
  const weightOf = (label: string): number => ratios[counts.numbers.get(label) ?? -1] ?? 1;
  const outcomes = rehearsed.flatMap((call): Dated[] => {
    if (call.label === null) return [];
    const weight = weightOf(call.label);
    return [{ period: call.period, score: call.score, right: isRight(call), weight }];
  });
  const calibration = latestCalibration(outcomes);
  const accounted = accountedShares(
    rehearsed
      .filter(({ score }) => calibrated(calibration, score) >= PLAUSIBLE)
      .map(({ predicted, point, label }) => ({
        label: predicted,
        truth: label === null ? null : (counts.numbers.get(label) ?? null),
        point,
      })),
  );
  const heuristic = rehearseHeuristic(periods, weightOf);
  return {
    artefact: {
      version: 1,
      counts: storeCounts(counts),
      temperature,
      shares: [...shares],
      calibration,
      accounted: counts.labels.map((_, label) => accounted.get(label) ?? 1),
      identities: Object.fromEntries(
        [...namesByField(identities)].map(([field, hashes]) => [field, ascending(hashes)]),
      ),
    },
    heuristic: distil(heuristic.tallies, latestCalibration(heuristic.outcomes)),
    gate: judge({
      labelled: examples.filter(({ label }) => label !== null).length,
      model: calibratedForward(outcomes),
      heuristic: calibratedForward(heuristic.outcomes),
    }),
  };
};
