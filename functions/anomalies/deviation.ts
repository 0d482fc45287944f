import type { AnomalyGrain } from '../../schemas/anomalies.ts';
import { startOf } from '../rollups/grain.ts';
import { type Decimal, decimal } from '../shared/decimal.ts';
import { baselinePeriods, daysBefore } from './baseline.ts';
import { type Expectation, expectationOf } from './expectation.ts';

/** Cost over time of one owner, service, model or of everything. */
export interface Series {
  /** What a period cost; 0 where nothing happened. */
  readonly cost: (grain: AnomalyGrain, start: number) => Decimal;
  /** Beginning of the first day it is known of, epoch milliseconds. */
  readonly since: number;
  /** What a call costs, in the mean. */
  readonly perCall: Decimal;
}

/** A period out of its range. */
export interface Deviation {
  readonly observed: Decimal;
  readonly low: Decimal;
  readonly central: Decimal;
  readonly high: Decimal;
  /** How many times as far from what was expected as the end of the range. */
  readonly score: number;
}

const ZERO = decimal('0');
const ONE = decimal('1');
/**
 * Standard deviations that are no surprise, of an hour and of a day. Measured (bench/quality/anomalyQuality.ts): an hour is judged
 * 24 times as often, and from values that vary more.
 */
const TOLERANCE: Readonly<Record<AnomalyGrain, number>> = { hour: 5, day: 4.5 };
/** Days with spend that a mostly idle series must have for its days to be judged by them. */
const BUSY_DAYS_MINIMUM = 5;

const expectedOfDay = ({ cost, since, perCall }: Series, day: number): Expectation | null => {
  const rows = baselinePeriods('day', day, since).map((row) => row.map((start) => cost('day', start)));
  const regular = expectationOf(rows, perCall, TOLERANCE.day);
  if (regular !== null || rows.length === 0) return regular;
  // Most days are idle: a day with spend is held against those that had any.
  const busy = daysBefore(day, since)
    .map((start) => cost('day', start))
    .filter((spent) => spent.gt(ZERO));
  return busy.length < BUSY_DAYS_MINIMUM ? null : expectationOf([busy], perCall, TOLERANCE.day);
};

const expectedOfHour = (series: Series, hour: number): Expectation | null => {
  const { cost, since, perCall } = series;
  const rows = baselinePeriods('hour', hour, since).map((row) => row.map((start) => cost('hour', start)));
  const regular = expectationOf(rows, perCall, TOLERANCE.hour);
  if (regular !== null || rows.length === 0) return regular;
  // An hour that is mostly idle must cost more than a whole day may.
  const day = expectedOfDay(series, startOf('day', hour));
  return day === null ? null : { central: ZERO, width: day.central.plus(day.width) };
};

/**
 * Judges a period that is over. `scale` is how many times its usual level the series is known to be at already;
 * `minimum` the least excess worth a word. Null where the period is in its range, or too little is known to tell.
 */
export const detectDeviation = (
  series: Series,
  grain: AnomalyGrain,
  start: number,
  { scale = ONE, minimum }: { readonly scale?: Decimal; readonly minimum: Decimal },
): Deviation | null => {
  const observed = series.cost(grain, start);
  if (observed.lt(minimum)) return null;
  const usual = grain === 'hour' ? expectedOfHour(series, start) : expectedOfDay(series, start);
  if (usual === null) return null;
  const [central, width] = [usual.central.times(scale), usual.width.times(scale)];
  const excess = observed.minus(central);
  if (excess.lte(width) || excess.lt(minimum)) return null;
  const low = central.minus(width);
  return {
    observed,
    low: low.gt(ZERO) ? low : ZERO,
    central,
    high: central.plus(width),
    score: Number(excess.div(width).toFixed(1)),
  };
};
