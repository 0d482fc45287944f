import type { Example } from '../../functions/attribution/training/prediction/observation.ts';
import {
  continueTraining,
  trainingResultOf,
} from '../../functions/attribution/training/prediction/training/train.ts';
import { emptyTrainingState } from '../../functions/attribution/training/prediction/training/trainingState.ts';
import {
  isRestartDue,
  isRetryDue,
  isTrainingDue,
} from '../../functions/attribution/training/trainingSchedule.ts';
import { toIso } from '../../functions/platform/shared/time/toIso.ts';
import { TRAINING_INTERVAL_MS } from '../../schemas/attribution/models.ts';
import type { ProtocolCall } from './protocols.ts';
import { exampleOf, type ServedRecord, servedPredictions } from './servedPredictions.ts';

/** The record of a call that names no owner itself. */
export interface Outcome extends ServedRecord, Pick<ProtocolCall, 'truth' | 'cost' | 'isSilent'> {
  /** Whether the record was open at first, and a later model was applied to it. */
  readonly isRetried: boolean;
}

/** A training, with the criteria of the publication gate that its model failed. */
interface TrainingRun {
  readonly at: number;
  readonly failed: readonly string[];
}

export interface BacktestResult {
  readonly outcomes: readonly Outcome[];
  readonly trainings: readonly TrainingRun[];
}

/** Newest calls that a training starts from, as in the service. */
const EXAMPLES_MAXIMUM = 100_000;

/** Trains as the service does: continues its state, and starts again after a day. */
const trainer = (examples: readonly Example[]) => {
  let state = emptyTrainingState(Number.NEGATIVE_INFINITY);
  let learned = 0;
  return (to: number, now: number) => {
    if (isRestartDue(state, now)) {
      state = emptyTrainingState(now);
      learned = Math.max(0, to - EXAMPLES_MAXIMUM);
    }
    continueTraining(state, examples.slice(learned, to), now);
    learned = to;
    return trainingResultOf(state);
  };
};

const outcomeOf = (call: ProtocolCall, isRetried: boolean, record: ServedRecord): Outcome => {
  const { truth, cost, isSilent } = call;
  return { truth, cost, isSilent, ...record, isRetried };
};

/**
 * Walk-forward evaluation with the schedule and the code of the service: trains on past calls when a training is due, and
 * attributes every call until the next training. Once a day, and at the end, the model that serves is applied to the
 * records that are open. Calls before the first training count. Predictions are never used for training, and no future
 * call is.
 */
export const backtest = async (calls: readonly ProtocolCall[]): Promise<BacktestResult> => {
  const examples: Example[] = [];
  const first = calls[0]?.observation.occurredAt ?? 0;
  const outcomes = new Map<ProtocolCall, Outcome>();
  const trainings: TrainingRun[] = [];
  const trainOn = trainer(examples);
  const service = servedPredictions();
  let trainedAt = first;
  let fresh = { calls: 0, labelled: 0 };
  /** The open records of calls from this number on were not tried again. */
  let untried = 0;
  let retriedTo: string | null = null;
  let isServing = false;
  const retry = async (to: number, now: number): Promise<void> => {
    const recordOf = await service.recorderAt(now);
    const isAgain = retriedTo !== null;
    for (const call of calls.slice(untried, to)) {
      if (outcomes.get(call)?.owner === null) {
        outcomes.set(call, outcomeOf(call, true, recordOf(call, isAgain)));
      }
    }
    [untried, retriedTo] = [to, toIso(now)];
  };
  for (let from = 0; from < calls.length; ) {
    const since = (calls[from]?.observation.occurredAt ?? 0) - first;
    const now = first + Math.floor(since / TRAINING_INTERVAL_MS) * TRAINING_INTERVAL_MS;
    if (isTrainingDue(fresh, now - trainedAt)) {
      const training = trainOn(from, now);
      const failed = training.gate.criteria.flatMap(({ criterion, passed }) => (passed ? [] : [criterion]));
      trainings.push({ at: now, failed });
      service.register(`mdl_${trainings.length}`, training, now);
      isServing = failed.length === 0;
      if (isServing && isRetryDue(retriedTo, now)) await retry(from, now);
      [trainedAt, fresh] = [now, { calls: 0, labelled: 0 }];
    }
    const recordOf = await service.recorderAt(now);
    let to = from;
    for (; to < calls.length; to += 1) {
      const call = calls[to];
      if (call === undefined || call.observation.occurredAt >= now + TRAINING_INTERVAL_MS) break;
      const record = call.isLabelled ? undefined : recordOf(call);
      if (record !== undefined) outcomes.set(call, outcomeOf(call, false, record));
      const example = exampleOf(call, record);
      examples.push(example);
      fresh.calls += 1;
      if (example.label !== null) fresh.labelled += 1;
    }
    from = to;
  }
  // As the first training of the next day would.
  if (isServing) await retry(calls.length, calls.at(-1)?.observation.occurredAt ?? 0);
  return { outcomes: [...outcomes.values()], trainings };
};
