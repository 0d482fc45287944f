import { type GateReport, TRAINING_INTERVAL_MS } from '../../../../../schemas/attribution/models.ts';
import { type Artefact, serializeCounts } from '../artefact.ts';
import { evaluateGate } from '../calibration/gate.ts';
import { calibrate, UNCALIBRATED } from '../calibration/isotonic.ts';
import { buildHeuristicTable, type HeuristicTable } from '../heuristicTable.ts';
import { knownHashesByField } from '../likelihood/novelty.ts';
import type { Example } from '../observation.ts';
import { fitConfidence } from './fitModel.ts';
import { learnPeriod } from './learnPeriod.ts';
import { testOutcomes } from './outcomes.ts';
import { splitIntoPeriods } from './periods.ts';
import { emptyTrainingState, type TrainingState } from './trainingState.ts';

export interface TrainingResult {
  readonly artefact: Artefact;
  readonly heuristic: HeuristicTable;
  readonly gate: GateReport;
}

/**
 * Adds examples in time order, made from `learnedTo` of the state until `to` (epoch milliseconds), in periods of the length
 * for which a model serves, each predicted from the ones before it. Labels must not come from inference itself.
 */
export const continueTraining = (state: TrainingState, examples: readonly Example[], to: number): void => {
  const options = { interval: TRAINING_INTERVAL_MS, isFirst: state.examples === 0 };
  for (const period of splitIntoPeriods(examples, options)) {
    learnPeriod(state, period);
    fitConfidence(state);
  }
  state.learnedTo = to;
};

const sortAscending = (hashes: Iterable<number>): number[] => [...hashes].sort((a, b) => a - b);

/** The model and the heuristic of a state, with the result of the publication gate. Equal states give equal bytes. */
export const trainingResultOf = (state: TrainingState): TrainingResult => {
  const { counts, temperatures, shares, identities, countsByKey, labelled, confidence } = state;
  const { calibration, knownShares, chargeRule, heuristicCalibration, traces } = confidence;
  return {
    artefact: {
      version: 1,
      counts: serializeCounts(counts),
      temperature: temperatures.best(),
      shares: [...shares],
      calibration: calibration ?? calibrate([]),
      knownShares: counts.labels.map((_, label) => knownShares.get(label) ?? 1),
      chargeRule: {
        ...chargeRule.first,
        again: chargeRule.again,
        supported: counts.labels.map((_, label) => chargeRule.supported.get(label) ?? 0),
      },
      identities: Object.fromEntries(
        [...knownHashesByField(identities)].map(([field, hashes]) => [field, sortAscending(hashes.keys())]),
      ),
      traces,
    },
    // Its shares are smoothed, and its predictions are advice: so they are useful before the first calibration.
    heuristic: buildHeuristicTable(countsByKey, heuristicCalibration ?? UNCALIBRATED),
    gate: evaluateGate({ labelled, ...testOutcomes(state) }),
  };
};

/**
 * Trains a model and the heuristic on examples in time order. Training is deterministic: equal examples give equal bytes.
 */
export const train = (examples: readonly Example[]): TrainingResult => {
  const to = (examples.at(-1)?.observation.occurredAt ?? 0) + 1;
  const state = emptyTrainingState(to);
  continueTraining(state, examples, to);
  return trainingResultOf(state);
};
