import { DAY_MS } from '../../../schemas/durations.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import { type Decimal, decimal, sumOf, wholeNumber, ZERO } from '../../platform/shared/decimal.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { certainSlope, slopeError, weeklyTrend } from './weeklyTrend.ts';

const WEEK = 7;
/** Whole days before today that give the growth: eight of each weekday. */
const TREND_DAYS = 8 * WEEK;
/** Whole days before today that give the level: four of each weekday, each of which counts half as much as the one after it. */
const LEVEL_DAYS = 4 * WEEK;
const LEVEL_WEEKS = LEVEL_DAYS / WEEK;
/** How many equal weeks are as certain as the weighted ones, and their mean distance from today in weeks. */
const EQUAL_WEEKS = 2.65;
const LEVEL_AGE = 1.23;
/** Whole days before today whose forecast is compared with what they cost. */
const CHECKED_DAYS = 3 * WEEK;
/** Whole days of data needed for a forecast. */
const KNOWN_DAYS_MINIMUM = 3;
/** Logarithms of the fastest decline and growth a week that are projected. */
const FASTEST_DECLINE = Math.log(0.7);
const FASTEST = Math.log(1.5);
/** Standard deviations inside the range: nine of ten values of a normal distribution. */
const TOLERANCE = 1.645;
/** The share of its error by which the growth is projected slower. With all of it, a series that grows fast is always missed. */
const CAUTION = 0.5;
/**
 * Weeks vary more than around their trend of eight weeks, and the slope is less certain than independent weeks would make
 * it, because levels wander. Growth that speeds up, slows down or stops shows as the error of a forecast made three weeks ago.
 * Measured with `npm run bench -- forecasts`: the range then holds about nine of ten outcomes.
 */
const NOISE_VARIANCE = 1.6;
const SLOPE_DEVIATION = 2.3;
const CHECK_DEVIATION = 0.8;
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
  const growth = certainSlope(trend.slope, CAUTION * error);
  const wandering = wanderingOf(trend.residuals);
  return { growth: Math.min(FASTEST, Math.max(FASTEST_DECLINE, growth)), error, noise, wandering };
};

/**
 * The expected cost of the days from today on, at the level of today: the weighted mean of the weekday in the last 28 days. When
 * fewer days are known, or more than half of them are idle, the mean of all known days.
 */
const weekdayLevels = (past: readonly Decimal[], growth: number): Decimal[] => {
  const recent = past
    .slice(0, LEVEL_DAYS)
    .map((cost, index) => cost.times(factor((growth * (index + 1)) / WEEK)));
  const busy = recent.filter((cost) => cost.gt(ZERO)).length;
  if (recent.length < LEVEL_DAYS || busy * 2 < LEVEL_DAYS) {
    const mean = sumOf(recent).div(wholeNumber(recent.length));
    return Array.from({ length: WEEK }, () => mean);
  }
  return Array.from({ length: WEEK }, (_, offset) => {
    const row = recent.filter((_cost, index) => (index + 1 + offset) % WEEK === 0);
    const weighted = row.map((cost, week) => cost.times(wholeNumber(2 ** (LEVEL_WEEKS - 1 - week))));
    return sumOf(weighted).div(wholeNumber(2 ** LEVEL_WEEKS - 1));
  });
};

/** What the cost of days, newest first, lets expect of the days after them. */
const outlookOf = (past: readonly Decimal[]) => {
  const trend = growthOf(past);
  const levels = weekdayLevels(past, trend.growth);
  const costOn = (ahead: number): Decimal =>
    (levels[ahead % WEEK] ?? ZERO).times(factor((trend.growth * ahead) / WEEK));
  return { trend, costOn };
};

/** By how much a forecast made three weeks ago would have been wrong, as a logarithm. 0 with too little history for one. */
const pastError = (past: readonly Decimal[]): number => {
  if (past.length < CHECKED_DAYS + LEVEL_DAYS) return 0;
  const { costOn } = outlookOf(past.slice(CHECKED_DAYS));
  const expected = sumOf(Array.from({ length: CHECKED_DAYS }, (_, ahead) => costOn(ahead)));
  const real = sumOf(past.slice(0, CHECKED_DAYS));
  return expected.lte(ZERO) || real.lte(ZERO) ? 0 : Math.log(Number(real.div(expected).toString()));
};

/** The standard deviation of the logarithm of what `days` cost. */
const deviationOf = (
  past: readonly Decimal[],
  { error, noise, wandering }: ReturnType<typeof growthOf>,
  days: number,
): number => {
  const weeksLeft = Math.max(1, days) / WEEK;
  const isShort = past.length < LEVEL_DAYS;
  const equalWeeks = isShort ? past.length / WEEK : EQUAL_WEEKS;
  const age = isShort ? past.length / WEEK / 2 : LEVEL_AGE;
  return Math.hypot(
    noise * Math.sqrt(NOISE_VARIANCE * wandering * (1 / weeksLeft + 1 / equalWeeks)),
    SLOPE_DEVIATION * error * (age + weeksLeft / 2),
    CHECK_DEVIATION * pastError(past),
  );
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
  const { trend, costOn } = outlookOf(past);
  let central = ZERO;
  for (let day = today; day < rest.to; day += DAY_MS) {
    const left = Math.min(day + DAY_MS, rest.to) - Math.max(day, rest.from);
    central = central.plus(costOn((day - today) / DAY_MS).times(wholeNumber(left).div(wholeNumber(DAY_MS))));
  }
  const deviation = deviationOf(past, trend, (rest.to - rest.from) / DAY_MS);
  const reach = Math.min(WIDEST, TOLERANCE * deviation);
  return { low: central.times(factor(-reach)), central, high: central.times(factor(reach)) };
};
