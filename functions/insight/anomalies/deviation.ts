import type { AnomalyGrain } from '../../../schemas/insight/anomalies.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import { type Decimal, decimal, ZERO } from '../../platform/shared/decimal.ts';
import { baselinePeriods, daysBefore } from './baseline.ts';
import { type Expectation, expectationOf } from './expectation.ts';
import { growthFactor, weeklyGrowth, weeklyTotals } from './growth.ts';
import { monthlyJobCost } from './monthlyJob.ts';
import { isRecurring } from './recurringExcess.ts';
import type { Series } from './series.ts';

/** A period outside its expected range. Amounts in USD. */
export interface Deviation {
  readonly observed: Decimal;
  readonly low: Decimal;
  readonly central: Decimal;
  readonly high: Decimal;
  /** Distance from the expected cost, divided by the half-width of the range. 1 is the upper end of the range. */
  readonly score: number;
}

const ONE = decimal('1');
/**
 * Standard deviations inside the expected range, measured with bench/quality/anomalyQuality.ts. Hours need more than days,
 * because they are evaluated 24 times as often and vary more.
 */
const TOLERANCE: Readonly<Record<AnomalyGrain, number>> = { hour: 5, day: 3.7 };
/** Days with spend that a mostly idle series needs to be compared with its busy days. */
const BUSY_DAYS_MINIMUM = 5;

/** The weekly growth of a series before a day. */
const growthBefore = ({ cost, since }: Series, day: number): number =>
  weeklyGrowth(weeklyTotals(daysBefore(day, since), (start) => cost('day', start)));

/** The costs of the baseline periods of a period, raised to the level that they would have now at this growth. */
const baselineRows = (series: Series, grain: AnomalyGrain, start: number, growth: number): Decimal[][] =>
  baselinePeriods(grain, start, series.since).map((row) =>
    row.map((past) => series.cost(grain, past).times(growthFactor(growth, past, start))),
  );

const expectedOfDay = (series: Series, day: number, growth: number): Expectation | null => {
  const { cost, since, perCall } = series;
  const rows = baselineRows(series, 'day', day, growth);
  const regular = expectationOf(rows, perCall, TOLERANCE.day);
  if (regular !== null || rows.length === 0) return regular;
  // Most days are idle, so compare with the days that had spend.
  const busy = daysBefore(day, since)
    .map((start) => cost('day', start))
    .filter((spent) => spent.gt(ZERO));
  return busy.length < BUSY_DAYS_MINIMUM ? null : expectationOf([busy], perCall, TOLERANCE.day);
};

const expectedOfHour = (series: Series, hour: number, growth: number): Expectation | null => {
  const rows = baselineRows(series, 'hour', hour, growth);
  const regular = expectationOf(rows, series.perCall, TOLERANCE.hour);
  if (regular !== null || rows.length === 0) return regular;
  // Most of these hours are idle, so the hour must exceed the upper end of the range of a whole day.
  const day = expectedOfDay(series, startOf('day', hour), growth);
  return day === null ? null : { central: ZERO, width: day.central.plus(day.width) };
};

/** The expectation of a period. A job that runs each month is expected where it ran a month before. */
const expectedOf = (
  series: Series,
  grain: AnomalyGrain,
  start: number,
  observed: Decimal,
): Expectation | null => {
  const growth = growthBefore(series, startOf('day', start));
  const regular =
    grain === 'hour' ? expectedOfHour(series, start, growth) : expectedOfDay(series, start, growth);
  if (regular === null) return null;
  if (observed.lte(regular.central.plus(regular.width))) return regular;
  const job = monthlyJobCost(series, grain, start);
  return job.lte(regular.width)
    ? regular
    : expectationOf([[regular.central.plus(job)]], series.perCall, TOLERANCE[grain]);
};

/**
 * Compares the cost of a past period with its expected range. `scale` multiplies the range, for a series that is known to
 * be above its usual level. `minimum` is the smallest excess to report, in USD. Null when the period is inside the range,
 * or when there is too little history.
 */
export const detectDeviation = (
  series: Series,
  grain: AnomalyGrain,
  start: number,
  { scale = ONE, minimum }: { readonly scale?: Decimal; readonly minimum: Decimal },
): Deviation | null => {
  const observed = series.cost(grain, start);
  if (observed.lt(minimum)) return null;
  const expected = expectedOf(series, grain, start, observed.div(scale));
  if (expected === null) return null;
  const [central, width] = [expected.central.times(scale), expected.width.times(scale)];
  const excess = observed.minus(central);
  if (excess.lte(width) || excess.lt(minimum)) return null;
  if (isRecurring(series, grain, start, { observed: observed.div(scale), central: expected.central }))
    return null;
  const low = central.minus(width);
  return {
    observed,
    low: low.gt(ZERO) ? low : ZERO,
    central,
    high: central.plus(width),
    score: Number(excess.div(width).toFixed(1)),
  };
};
