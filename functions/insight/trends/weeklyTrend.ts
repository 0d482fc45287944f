import { type Decimal, ZERO } from '../../platform/shared/decimal.ts';
import { medianOf } from './median.ts';

/** Whole weeks of history that a trend needs. With fewer, one unusual week would look like growth. */
const WEEKS_MINIMUM = 4;

/** The trend of weekly totals. Logarithms of shares, so a growth of 10 % a week is ln 1.1. */
export interface WeeklyTrend {
  /** The growth a week. */
  readonly slope: number;
  /** The distance of each week from the trend. */
  readonly residuals: readonly number[];
}

/**
 * The trend of weekly totals, newest first: the median slope of all pairs of weeks (Theil 1950, Sen 1968), which a few
 * unusual weeks do not change. Null with too little history or an idle week.
 */
export const weeklyTrend = (totals: readonly Decimal[]): WeeklyTrend | null => {
  if (totals.length < WEEKS_MINIMUM || totals.some((total) => total.lte(ZERO))) return null;
  // A ratio of amounts is no amount, so a double is precise enough.
  const logs = totals.map((total) => Math.log(Number(total.toString())));
  const slope = medianOf(
    logs.flatMap((newer, week) =>
      logs.slice(week + 1).map((older, distance) => (newer - older) / (distance + 1)),
    ),
  );
  const levels = logs.map((log, week) => log + slope * week);
  const middle = medianOf(levels);
  return { slope, residuals: levels.map((level) => level - middle) };
};

/** The standard error of the slope of so many equidistant weeks whose residuals have the standard deviation `noise`. */
export const slopeError = (weeks: number, noise: number): number =>
  noise / Math.sqrt((weeks * (weeks ** 2 - 1)) / 12);

/** A slope less its standard error: chance is no growth. */
export const certainSlope = (slope: number, error: number): number =>
  Math.sign(slope) * Math.max(0, Math.abs(slope) - error);
