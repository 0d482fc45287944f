import { DAY_MS } from '../../../schemas/durations.ts';
import { type Decimal, decimal, sumOf } from '../../platform/shared/decimal.ts';
import { MAD_TO_SIGMA, medianOf } from '../trends/median.ts';
import { certainSlope, slopeError, weeklyTrend } from '../trends/weeklyTrend.ts';

const WEEK_DAYS = 7;
/** Logarithm of the growth a week. Faster growth is a drift that has to be reported, so it is not expected. */
const FASTEST = Math.log(1.15);
const FASTEST_DECLINE = Math.log(0.95);
/** The newest weeks do not count, so that a drift is reported before it becomes the expected growth. */
const RECENT_WEEKS = 2;
const FACTOR_DIGITS = 6;

/** The logarithm of the expected growth a week of weekly totals, newest first. 0 without a trend. */
export const weeklyGrowth = (totals: readonly Decimal[]): number => {
  const trend = weeklyTrend(totals);
  if (trend === null) return 0;
  // An unusual week widens no range: past anomalies must not hide growth.
  const noise = MAD_TO_SIGMA * medianOf(trend.residuals.map(Math.abs));
  const growth = certainSlope(trend.slope, slopeError(totals.length, noise));
  return Math.min(FASTEST, Math.max(FASTEST_DECLINE, growth));
};

/** Totals of the whole weeks of `days` (newest first), newest first, without the newest weeks. */
export const weeklyTotals = (days: readonly number[], cost: (day: number) => Decimal): Decimal[] => {
  const older = days.slice(RECENT_WEEKS * WEEK_DAYS);
  return Array.from({ length: Math.floor(older.length / WEEK_DAYS) }, (_, week) =>
    sumOf(older.slice(week * WEEK_DAYS, (week + 1) * WEEK_DAYS).map(cost)),
  );
};

/** The factor from the level at `past` to the level at `start` (epoch milliseconds) under a weekly growth. */
export const growthFactor = (growth: number, past: number, start: number): Decimal =>
  decimal(Math.exp((growth * (start - past)) / (WEEK_DAYS * DAY_MS)).toFixed(FACTOR_DIGITS));
