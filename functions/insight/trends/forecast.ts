import { DAY_MS } from '../../../schemas/durations.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import { type Decimal, decimal, sumOf, wholeNumber, ZERO } from '../../platform/shared/decimal.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { certainSlope, slopeError, weeklyTrend } from './weeklyTrend.ts';

const WEEK = 7;
/** Whole days before today that give the growth: eight of each weekday. */
const TREND_DAYS = 8 * WEEK;
/** Whole days before today that give the level: four of each weekday. */
const LEVEL_DAYS = 4 * WEEK;
/** Whole days of data needed for a forecast. */
const KNOWN_DAYS_MINIMUM = 3;
/** Logarithms of the fastest decline and growth a week that are projected. */
const FASTEST_DECLINE = Math.log(0.7);
const FASTEST = Math.log(1.5);
/** Standard deviations inside the range: nine of ten values of a normal distribution. */
const TOLERANCE = 1.645;
/**
 * Weeks vary more than around their trend of eight weeks, and the slope is less certain than independent weeks would make
 * it, because levels wander. Measured with `npm run bench -- forecasts`: the range then holds about nine of ten outcomes.
 */
const NOISE_VARIANCE = 2.5;
const SLOPE_DEVIATION = 2.5;
/**
 * The mean square of the steps between weeks is twice their variance if weeks are independent (von Neumann 1941), and less the more
 * the level wanders: the next weeks are then further from the mean of the last. By how many times the trend makes it larger, and
 * the bounds of the effect, because eight weeks show it roughly. Measured as above.
 */
const INDEPENDENT_STEPS = 1.2;
const [LEAST_WANDERING, MOST_WANDERING] = [0.4, 4];
/** Smallest deviation of a week from its trend, as a share. */
const NOISE_FLOOR = 0.02;
/** Deviation of a week, as a share, and of the slope, while there is too little history to measure them. */
const UNKNOWN_NOISE = 0.15;
const UNKNOWN_SLOPE_ERROR = 0.06;
/** Logarithm of the widest range: a hundred times more or less. A wider one would say nothing about the next weeks. */
const WIDEST = Math.log(100);
const FACTOR_DIGITS = 6;

/** The first day that a forecast at `now` uses (epoch milliseconds). */
export const lookbackFrom = (now: number): number => startOf('day', now) - TREND_DAYS * DAY_MS;

/** An expected cost and the range that holds it in nine of ten cases, in USD. */
export interface Forecast {
  readonly low: Decimal;
  readonly central: Decimal;
  readonly high: Decimal;
}

const factor = (logarithm: number): Decimal => decimal(Math.exp(logarithm).toFixed(FACTOR_DIGITS));

const standardDeviation = (values: readonly number[], degreesOfFreedom: number): number =>
  Math.sqrt(values.reduce((total, value) => total + value ** 2, 0) / Math.max(1, degreesOfFreedom));

/** How much more than independent weeks the level of a series wanders, as a factor of the variance. */
const wanderingOf = (residuals: readonly number[]): number => {
  const squares = (values: readonly number[]) => standardDeviation(values, values.length) ** 2;
  const steps = residuals.slice(1).map((residual, week) => residual - (residuals[week] ?? 0));
  const factor = (INDEPENDENT_STEPS * 2 * squares(residuals)) / squares(steps);
  // All weeks on one line: neither moves.
  return Number.isNaN(factor) ? 1 : Math.min(MOST_WANDERING, Math.max(LEAST_WANDERING, factor));
};

/** Growth a week, its error, the deviation of a week and {@link wanderingOf | wandering}, as logarithms. `past`: cost of the days before today, newest first. */
const growthOf = (past: readonly Decimal[]) => {
  const weeks = Array.from({ length: Math.floor(past.length / WEEK) }, (_, week) =>
    sumOf(past.slice(week * WEEK, (week + 1) * WEEK)),
  );
  const trend = weeklyTrend(weeks);
  if (trend === null) {
    const mean = Number(sumOf(weeks).toString()) / weeks.length;
    const shares = mean > 0 ? weeks.map((week) => Number(week.toString()) / mean - 1) : [];
    const noise = Math.max(UNKNOWN_NOISE, standardDeviation(shares, weeks.length - 1));
    return { growth: 0, error: UNKNOWN_SLOPE_ERROR, noise, wandering: 1 };
  }
  // Level and slope of the trend were fitted.
  const noise = Math.max(NOISE_FLOOR, standardDeviation(trend.residuals, weeks.length - 2));
  const error = slopeError(weeks.length, noise);
  const growth = certainSlope(trend.slope, error);
  const wandering = wanderingOf(trend.residuals);
  return { growth: Math.min(FASTEST, Math.max(FASTEST_DECLINE, growth)), error, noise, wandering };
};

/**
 * The expected cost of the days from today on, at the level of today: the mean of the weekday in the last 28 days. When
 * fewer days are known, or more than half of them are idle, the mean of all known days.
 */
const weekdayLevels = (past: readonly Decimal[], growth: number): Decimal[] => {
  const recent = past
    .slice(0, LEVEL_DAYS)
    .map((cost, index) => cost.times(factor((growth * (index + 1)) / WEEK)));
  const busy = recent.filter((cost) => cost.gt(ZERO)).length;
  const isRegular = recent.length === LEVEL_DAYS && busy * 2 >= LEVEL_DAYS;
  return Array.from({ length: WEEK }, (_, offset) => {
    const row = isRegular ? recent.filter((_cost, index) => (index + 1 + offset) % WEEK === 0) : recent;
    return sumOf(row).div(wholeNumber(row.length));
  });
};

/**
 * The cost that is expected in the rest of a period, in USD. `costOf` returns the cost of a UTC day, 0 without calls, and
 * `since` is the first known day (epoch milliseconds). Each day costs the mean of its weekday, raised by the growth a week
 * of the last eight weeks; a day counts with the share of it that is left. The range holds the real cost in about nine of
 * ten cases: weeks vary, and neither level nor growth is known exactly. Null before three whole days are known.
 */
export const forecastRest = (
  costOf: (day: number) => Decimal,
  since: number,
  rest: Interval,
): Forecast | null => {
  const today = startOf('day', rest.from);
  const known = Math.min(TREND_DAYS, (today - startOf('day', since)) / DAY_MS);
  if (known < KNOWN_DAYS_MINIMUM) return null;
  const past = Array.from({ length: known }, (_, index) => costOf(today - (index + 1) * DAY_MS));
  const { growth, error, noise, wandering } = growthOf(past);
  const levels = weekdayLevels(past, growth);
  let central = ZERO;
  for (let day = today; day < rest.to; day += DAY_MS) {
    const ahead = (day - today) / DAY_MS;
    const left = Math.min(day + DAY_MS, rest.to) - Math.max(day, rest.from);
    const cost = (levels[ahead % WEEK] ?? ZERO).times(factor((growth * ahead) / WEEK));
    central = central.plus(cost.times(wholeNumber(left).div(wholeNumber(DAY_MS))));
  }
  const weeksLeft = Math.max(1, (rest.to - rest.from) / DAY_MS) / WEEK;
  const weeksOfLevel = Math.min(LEVEL_DAYS, known) / WEEK;
  const deviation = Math.hypot(
    noise * Math.sqrt(NOISE_VARIANCE * wandering * (1 / weeksLeft + 1 / weeksOfLevel)),
    (SLOPE_DEVIATION * error * (weeksOfLevel + weeksLeft)) / 2,
  );
  const reach = Math.min(WIDEST, TOLERANCE * deviation);
  return { low: central.times(factor(-reach)), central, high: central.times(factor(reach)) };
};
