import { type GateReport, TRAINING_PERIOD_MS } from '../../schemas/models.ts';
import { type Artefact, serializeCounts } from './artefact.ts';
import { evaluateGate } from './calibration/gate.ts';
import { calibrateScore } from './calibration/isotonic.ts';
import { type CountsByKey, countCall, findKeyShares } from './heuristic.ts';
import { buildHeuristicTable, type HeuristicTable } from './heuristicTable.ts';
import { knownHashesByField } from './novelty.ts';
import type { Example } from './observation.ts';
import { knownShares } from './openSetCorrection.ts';
import {
  type PreparedExample,
  type PrequentialPrediction,
  runPrequential,
  splitIntoPeriods,
} from './prequential.ts';
import { calibrateLatest, calibrateWalkForward, type PeriodOutcome } from './walkForward.ts';

export interface TrainingResult {
  readonly artefact: Artefact;
  readonly heuristic: HeuristicTable;
  readonly gate: GateReport;
}

export interface TrainingOptions {
  /** Length of an evaluation period, in milliseconds. Default {@link TRAINING_PERIOD_MS}. */
  readonly period?: number;
}

/** Bounds of the number of periods. A short history needs enough periods to calibrate and test, a long one costs time. */
const PERIODS = { least: 10, most: 60 } as const;

const periodLength = (examples: readonly Example[], requested: number): number => {
  const span =
    (examples.at(-1)?.observation.occurredAt ?? 0) - (examples[0]?.observation.occurredAt ?? 0) + 1;
  return Math.max(span / PERIODS.most, Math.min(span / PERIODS.least, requested));
};

/** Predictions below this confidence are never charged back, so the open-set correction ignores them. */
const PLAUSIBLE_CONFIDENCE = 0.6;

/** Prequential evaluation of the heuristic on the same periods. `weightOf`: calls that a labelled call represents. */
const evaluateHeuristic = (
  periods: readonly (readonly PreparedExample[])[],
  weightOf: (label: string) => number,
) => {
  const countsByKey: CountsByKey = new Map();
  const outcomes: PeriodOutcome[] = [];
  periods.forEach((calls, period) => {
    const labelled = calls.flatMap(({ observation, label }) =>
      label === null ? [] : [{ observation, label }],
    );
    // Without a label so far nothing can be predicted.
    for (const { observation, label } of countsByKey.size === 0 ? [] : labelled) {
      const best = findKeyShares(countsByKey, observation)?.labels[0];
      const right = best?.label === label;
      outcomes.push({ period, score: best?.share ?? 0, isRight: right, weight: weightOf(label) });
    }
    for (const { observation, label } of labelled) countCall(countsByKey, observation, label);
  });
  return { countsByKey, outcomes };
};

const sortAscending = (hashes: ReadonlySet<number>): number[] => [...hashes].sort((a, b) => a - b);

/**
 * Trains a model and the heuristic on examples in time order, and evaluates the publication gate. Training is
 * deterministic: equal examples give equal bytes. Labels must not come from inference itself.
 */
export const train = (
  examples: readonly Example[],
  { period = TRAINING_PERIOD_MS }: TrainingOptions = {},
): TrainingResult => {
  const periods = splitIntoPeriods(examples, periodLength(examples, period));
  const { counts, temperature, shares, ratios, predictions, identities } = runPrequential(periods);
  const isRight = ({ predicted, label }: PrequentialPrediction): boolean =>
    counts.labels[predicted] === label;
  const weightOf = (label: string): number => ratios[counts.labelNumbers.get(label) ?? -1] ?? 1;
  const outcomes = predictions.flatMap((call): PeriodOutcome[] => {
    if (call.label === null) return [];
    const weight = weightOf(call.label);
    return [{ period: call.period, score: call.score, isRight: isRight(call), weight }];
  });
  const calibration = calibrateLatest(outcomes);
  const explained = knownShares(
    predictions
      .filter(({ score }) => calibrateScore(calibration, score) >= PLAUSIBLE_CONFIDENCE)
      .map(({ predicted, point, label }) => ({
        label: predicted,
        truth: label === null ? null : (counts.labelNumbers.get(label) ?? null),
        point,
      })),
  );
  const heuristic = evaluateHeuristic(periods, weightOf);
  return {
    artefact: {
      version: 1,
      counts: serializeCounts(counts),
      temperature,
      shares: [...shares],
      calibration,
      knownShares: counts.labels.map((_, label) => explained.get(label) ?? 1),
      identities: Object.fromEntries(
        [...knownHashesByField(identities)].map(([field, hashes]) => [field, sortAscending(hashes)]),
      ),
    },
    heuristic: buildHeuristicTable(heuristic.countsByKey, calibrateLatest(heuristic.outcomes)),
    gate: evaluateGate({
      labelled: examples.filter(({ label }) => label !== null).length,
      model: calibrateWalkForward(outcomes),
      heuristic: calibrateWalkForward(heuristic.outcomes),
    }),
  };
};
