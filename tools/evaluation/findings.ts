import {
  computeMetrics,
  type Metrics,
  percentile,
} from '../../functions/attribution/training/prediction/calibration/metrics.ts';
import type { BacktestResult, PredictorRun, TimedOutcome, TrainingRun } from './backtest.ts';
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

/** The trainings of a run: their number, those that passed the gate, and why the others did not. */
export interface TrainingFigures {
  readonly trained: number;
  readonly passed: number;
  /** Number of trainings that failed each criterion of the publication gate. */
  readonly failed: Readonly<Record<string, number>>;
  readonly cpu_seconds: number;
}

/** One part of the time of a trace. */
export interface PeriodFigures {
  /** Hours since the first call. */
  readonly from_hour: number;
  readonly to_hour: number;
  readonly trained: number;
  readonly passed: number;
  readonly model: Metrics;
  readonly served: Metrics;
}

/** The results of a protocol. */
export interface Findings {
  readonly protocol: Protocol['name'];
  readonly title: string;
  readonly trainings: TrainingFigures;
  readonly heuristic: PredictorFigures;
  /** As trained: every model, whether or not it passed the gate. */
  readonly model: PredictorFigures;
  /** As served: what the records would show. */
  readonly served: PredictorFigures;
  readonly periods: readonly PeriodFigures[];
  readonly goals: readonly Goal[];
}

/** Calibration is measured before the ceilings, which are policy. What counts as confident follows from the record. */
const metricsOf = (outcomes: readonly TimedOutcome[]): Metrics => {
  const recorded = computeMetrics(outcomes.map((outcome) => ({ ...outcome, score: outcome.recorded })));
  const { precision, coverage, capped_calibration_error, capped_over_confidence } = recorded;
  return {
    ...computeMetrics(outcomes),
    precision,
    coverage,
    capped_calibration_error,
    capped_over_confidence,
  };
};

const figuresOf = ({ outcomes, microseconds }: PredictorRun): PredictorFigures => {
  const at = (share: number): number | null =>
    microseconds.length === 0 ? null : percentile(Float64Array.from(microseconds), share);
  return { ...metricsOf(outcomes), p50_us: at(0.5), p99_us: at(0.99) };
};

const isPassed = ({ failed }: TrainingRun): boolean => failed.length === 0;

const trainingFigures = (trainings: readonly TrainingRun[]): TrainingFigures => {
  const failed = Map.groupBy(
    trainings.flatMap((training) => training.failed),
    (criterion) => criterion,
  );
  return {
    trained: trainings.length,
    passed: trainings.filter(isPassed).length,
    failed: Object.fromEntries([...failed].map(([criterion, all]) => [criterion, all.length])),
    cpu_seconds: trainings.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1_000,
  };
};

const PERIODS = 8;
const HOUR_MS = 60 * 60 * 1_000;

const periodsOf = ({ model, served, trainings, first, last }: BacktestResult): PeriodFigures[] => {
  const length = (last - first + 1) / PERIODS;
  return Array.from({ length: PERIODS }, (_, period) => {
    const [from, to] = [first + period * length, first + (period + 1) * length];
    const within = <Timed extends { readonly at: number }>(all: readonly Timed[]): Timed[] =>
      all.filter(({ at }) => at >= from && at < to);
    const trained = within(trainings);
    return {
      from_hour: (from - first) / HOUR_MS,
      to_hour: (to - first) / HOUR_MS,
      trained: trained.length,
      passed: trained.filter(isPassed).length,
      model: metricsOf(within(model.outcomes)),
      served: metricsOf(within(served.outcomes)),
    };
  });
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

/** Without a confident call no owner is charged wrongly. */
const precisionGoal = ({ precision }: Metrics): Goal => ({
  ...atLeast('precision at .80, as served', precision, 0.95),
  ...(precision === null && { met: true }),
});

const goalsOf = ({ name }: Protocol, served: PredictorFigures, heuristic: PredictorFigures): Goal[] => {
  const always = [precisionGoal(served), atMost('p99 of one prediction (µs)', served.p99_us, 1_000)];
  const overHeuristic = atLeast('accuracy above the heuristic', served.accuracy - heuristic.accuracy, 0);
  if (name === 'unregistered') return always;
  if (name === 'uneven') return [overHeuristic, ...always];
  return [
    atMost('calibration error, as served', served.calibration_error, 0.02),
    atMost('over-confidence after the ceilings', served.capped_over_confidence, 0.01),
    atLeast('coverage at .80, as served', served.coverage, 0.65),
    overHeuristic,
    ...always,
  ];
};

/** Computes the metrics of a run and compares them with the goals. */
export const findingsOf = (protocol: Protocol, run: BacktestResult): Findings => {
  const [heuristic, model, served] = [figuresOf(run.heuristic), figuresOf(run.model), figuresOf(run.served)];
  return {
    protocol: protocol.name,
    title: protocol.title,
    trainings: trainingFigures(run.trainings),
    heuristic,
    model,
    served,
    periods: periodsOf(run),
    goals: goalsOf(protocol, served, heuristic),
  };
};
