import type { PredictionOutcome } from '../../functions/prediction/calibration/predictionOutcome.ts';
import type { Example } from '../../functions/prediction/observation.ts';
import type { Prediction, Predictor } from '../../functions/prediction/prediction.ts';
import { heuristicPredictor, predictor } from '../../functions/prediction/predictor.ts';
import { train } from '../../functions/prediction/train.ts';
import type { Call } from './calls.ts';

/** The predictions of one predictor for unlabelled calls, and the time of each in microseconds. */
export interface PredictorRun {
  readonly outcomes: PredictionOutcome[];
  readonly microseconds: number[];
}

export interface BacktestResult {
  readonly heuristic: PredictorRun;
  readonly model: PredictorRun;
  /** The number of trainings, and how many passed the publication gate. */
  readonly trainings: number;
  readonly published: number;
}

/** Trainings per trace, and the maximum number of latest calls to train on, as in the service. */
const TRAININGS = 16;
const EXAMPLES_MAXIMUM = 100_000;

/** Monotonic time in milliseconds. */
export type Clock = () => number;

const observe = (run: PredictorRun, { observation, truth }: Call, by: Predictor, clock: Clock): void => {
  const startedAt = clock();
  const prediction: Prediction | null = by.predict(observation);
  run.microseconds.push((clock() - startedAt) * 1_000);
  run.outcomes.push({
    score: prediction?.confidence ?? 0,
    isRight: prediction?.label === truth,
    weight: 1,
  });
};

/**
 * Walk-forward evaluation, as in the service: trains at fixed intervals on past calls, then predicts every unlabelled call
 * until the next training. Predictions are never used for training, and no future call is.
 */
export const backtest = (
  calls: readonly Call[],
  isLabelled: readonly boolean[],
  clock: Clock,
): BacktestResult => {
  const first = calls[0]?.observation.occurredAt ?? 0;
  const last = calls.at(-1)?.observation.occurredAt ?? 0;
  const period = (last - first + 1) / TRAININGS;
  const examples = calls.map(
    ({ observation, truth }, at): Example => ({ observation, label: isLabelled[at] ? truth : null }),
  );
  const run = {
    heuristic: { outcomes: [], microseconds: [] } as PredictorRun,
    model: { outcomes: [], microseconds: [] } as PredictorRun,
  };
  let [trainings, published] = [0, 0];
  for (let from = 0; from < calls.length; ) {
    const start = first + Math.floor(((calls[from]?.observation.occurredAt ?? 0) - first) / period) * period;
    const next = calls.findIndex(({ observation }) => observation.occurredAt >= start + period);
    const to = next === -1 ? calls.length : next;
    if (from > 0) {
      const training = train(examples.slice(Math.max(0, from - EXAMPLES_MAXIMUM), from), { period });
      trainings += 1;
      published += training.gate.passed ? 1 : 0;
      const model = predictor(training.artefact);
      const heuristic = heuristicPredictor(training.heuristic);
      for (const [at, call] of calls.slice(from, to).entries()) {
        if (isLabelled[from + at]) continue;
        observe(run.model, call, model, clock);
        observe(run.heuristic, call, heuristic, clock);
      }
    }
    from = to;
  }
  return { ...run, trainings, published };
};
