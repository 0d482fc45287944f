import { parseLabel } from '../../functions/attribution/training/models/label.ts';
import type { PredictionOutcome } from '../../functions/attribution/training/prediction/calibration/predictionOutcome.ts';
import type { Example } from '../../functions/attribution/training/prediction/observation.ts';
import type { Predictor } from '../../functions/attribution/training/prediction/prediction.ts';
import { heuristicPredictor, predictor } from '../../functions/attribution/training/prediction/predictor.ts';
import {
  continueTraining,
  trainingResultOf,
} from '../../functions/attribution/training/prediction/training/train.ts';
import { emptyTrainingState } from '../../functions/attribution/training/prediction/training/trainingState.ts';
import { isRestartDue, isTrainingDue } from '../../functions/attribution/training/trainingSchedule.ts';
import { TRAINING_INTERVAL_MS } from '../../schemas/attribution/models.ts';
import type { Call } from './calls.ts';
import { labelOf, type ServedPrediction, servedPredictions } from './servedPredictions.ts';

/** A scored prediction for an unlabelled call. */
export interface TimedOutcome extends PredictionOutcome {
  /** When the call occurred, epoch milliseconds. */
  readonly at: number;
  /** Confidence of the record. For predictors that do not serve, the same as the score. */
  readonly recorded: number;
}

/** The predictions of one predictor for unlabelled calls, and the time of each in microseconds. */
export interface PredictorRun {
  readonly outcomes: TimedOutcome[];
  readonly microseconds: number[];
}

/** A training, with the criteria of the publication gate that its model failed. */
export interface TrainingRun {
  readonly at: number;
  readonly failed: readonly string[];
  readonly milliseconds: number;
}

export interface BacktestResult {
  readonly heuristic: PredictorRun;
  /** Every trained model, whether or not it passed the gate. */
  readonly model: PredictorRun;
  /** What the service would have recorded. */
  readonly served: PredictorRun;
  readonly trainings: readonly TrainingRun[];
  /** Times of the first and the last call of the trace, epoch milliseconds. */
  readonly first: number;
  readonly last: number;
}

/** Newest calls that a training starts from, as in the service. */
const EXAMPLES_MAXIMUM = 100_000;

/** Monotonic time in milliseconds. */
export type Clock = () => number;

const emptyRun = (): PredictorRun => ({ outcomes: [], microseconds: [] });

const predictionOf =
  (by: Predictor) =>
  ({ observation }: Call): ServedPrediction => {
    const prediction = by.predict(observation);
    const owner = prediction === null ? null : parseLabel(prediction.label).owner;
    const confidence = prediction?.confidence ?? 0;
    return { owner, calibrated: confidence, recorded: confidence };
  };

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

/**
 * Walk-forward evaluation with the schedule and the code of the service: trains on past calls when a training is due, then
 * predicts every unlabelled call until the next training. Predictions are never used for training, and no future call is.
 */
export const backtest = async (
  calls: readonly Call[],
  isLabelled: readonly boolean[],
  clock: Clock,
): Promise<BacktestResult> => {
  const examples = calls.map(
    ({ observation, truth }, at): Example => ({
      observation,
      label: isLabelled[at] ? labelOf(truth) : null,
    }),
  );
  const result = { heuristic: emptyRun(), model: emptyRun(), served: emptyRun() };
  const observe = (run: PredictorRun, call: Call, predict: (call: Call) => ServedPrediction): void => {
    const startedAt = clock();
    const { owner, calibrated, recorded } = predict(call);
    run.microseconds.push((clock() - startedAt) * 1_000);
    const isRight = owner === call.truth;
    run.outcomes.push({
      at: call.observation.occurredAt,
      score: calibrated,
      recorded,
      isRight,
      weight: 1,
    });
  };

  const first = calls[0]?.observation.occurredAt ?? 0;
  const trainings: TrainingRun[] = [];
  const trainOn = trainer(examples);
  const service = servedPredictions();
  let [model, heuristic]: Predictor[] = [];
  let trainedAt = first;
  let fresh = { calls: 0, labelled: 0 };
  for (let from = 0; from < calls.length; ) {
    const since = (calls[from]?.observation.occurredAt ?? 0) - first;
    const now = first + Math.floor(since / TRAINING_INTERVAL_MS) * TRAINING_INTERVAL_MS;
    if (isTrainingDue(fresh, now - trainedAt)) {
      const startedAt = clock();
      const training = trainOn(from, now);
      const failed = training.gate.criteria.flatMap(({ criterion, passed }) => (passed ? [] : [criterion]));
      trainings.push({ at: now, failed, milliseconds: clock() - startedAt });
      model = predictor(training.artefact);
      heuristic = heuristicPredictor(training.heuristic);
      service.register(`mdl_${trainings.length}`, training, now);
      [trainedAt, fresh] = [now, { calls: 0, labelled: 0 }];
    }
    const serve = await service.predictorAt(now);
    let to = from;
    for (; to < calls.length; to += 1) {
      const call = calls[to];
      if (call === undefined || call.observation.occurredAt >= now + TRAINING_INTERVAL_MS) break;
      fresh.calls += 1;
      if (isLabelled[to]) fresh.labelled += 1;
      else if (model !== undefined && heuristic !== undefined) {
        observe(result.model, call, predictionOf(model));
        observe(result.heuristic, call, predictionOf(heuristic));
        observe(result.served, call, ({ observation }) => serve(observation));
      }
    }
    from = to;
  }
  return { ...result, trainings, first, last: calls.at(-1)?.observation.occurredAt ?? first };
};
