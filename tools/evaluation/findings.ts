import { computeMetrics, type Metrics, percentile } from '../../functions/prediction/calibration/metrics.ts';
import type { BacktestResult, PredictorRun } from './backtest.ts';
import type { Protocol } from './protocols.ts';

/** Metrics of a predictor in one run. */
export interface PredictorFigures extends Metrics {
  /** Median and 99th percentile of the time of one prediction, in microseconds. Null without predictions. */
  readonly p50_us: number | null;
  readonly p99_us: number | null;
}

export interface Goal {
  readonly goal: string;
  readonly value: number | null;
  readonly bound: string;
  readonly met: boolean;
}

/** The results of a protocol. */
export interface Findings {
  readonly protocol: Protocol['name'];
  readonly title: string;
  readonly trainings: number;
  readonly published: number;
  readonly heuristic: PredictorFigures;
  readonly model: PredictorFigures;
  readonly goals: readonly Goal[];
}

const figuresOf = ({ outcomes, microseconds }: PredictorRun): PredictorFigures => {
  const at = (share: number): number | null =>
    microseconds.length === 0 ? null : percentile(Float64Array.from(microseconds), share);
  return { ...computeMetrics(outcomes), p50_us: at(0.5), p99_us: at(0.99) };
};

const atLeast = (goal: string, value: number | null, bound: number): Goal => ({
  goal,
  value,
  bound: `at least ${bound}`,
  met: value !== null && value >= bound,
});

const atMost = (goal: string, value: number | null, bound: number): Goal => ({
  goal,
  value,
  bound: `at most ${bound}`,
  met: value !== null && value <= bound,
});

const goalsOf = ({ name }: Protocol, model: PredictorFigures, heuristic: PredictorFigures): Goal[] => {
  const time = atMost('p99 of one prediction (µs)', model.p99_us, 1_000);
  if (name === 'unregistered') return [atLeast('precision at .80', model.precision, 0.9), time];
  return [
    atMost('calibration error before the ceiling', model.calibration_error, 0.02),
    atMost('over-confidence after the ceiling', model.capped_over_confidence, 0.01),
    atLeast('precision at .80', model.precision, 0.93),
    atLeast('coverage at .80', model.coverage, 0.6),
    atLeast('accuracy above the heuristic', model.accuracy - heuristic.accuracy, 0.05),
    time,
  ];
};

/** Computes the metrics of a run and compares them with the goals. */
export const findingsOf = (protocol: Protocol, run: BacktestResult): Findings => {
  const [heuristic, model] = [figuresOf(run.heuristic), figuresOf(run.model)];
  return {
    protocol: protocol.name,
    title: protocol.title,
    trainings: run.trainings,
    published: run.published,
    heuristic,
    model,
    goals: goalsOf(protocol, model, heuristic),
  };
};
