import { DAY_MS } from '../../../schemas/durations.ts';
import { type Decimal, decimal } from '../../platform/shared/decimal.ts';
import { medianOf } from './median.ts';

const WEEK_DAYS = 7;
/** Whole weeks of history that a trend needs. With fewer, one unusual week would look like growth. */
const WEEKS_MINIMUM = 4;
/** Logarithm of the growth a week. Faster growth is a drift that has to be reported, so it is not expected. */
const FASTEST = Math.log(1.15);
const FASTEST_DECLINE = Math.log(0.95);
/** The newest weeks do not count, so that a drift is reported before it becomes the expected growth. */
const RECENT_WEEKS = 2;
const FACTOR_DIGITS = 6;
const ZERO = decimal('0');

/**
 * The logarithm of the growth a week of weekly totals, newest first: the median slope of all pairs of weeks (Theil 1950,
 * Sen 1968), which a few unusual weeks do not change. 0 with too little history or an idle week.
 */
export const weeklyGrowth = (totals: readonly Decimal[]): number => {
  if (totals.length < WEEKS_MINIMUM || totals.some((total) => total.lte(ZERO))) return 0;
  // A ratio of amounts is no amount, so a double is precise enough.
  const logs = totals.map((total) => Math.log(Number(total.toString())));
  const slopes = logs.flatMap((newer, week) =>
    logs.slice(week + 1).map((older, distance) => (newer - older) / (distance + 1)),
  );
  return Math.min(FASTEST, Math.max(FASTEST_DECLINE, medianOf(slopes)));
};

/** Totals of the whole weeks of `days` (newest first), newest first, without the newest weeks. */
export const weeklyTotals = (days: readonly number[], cost: (day: number) => Decimal): Decimal[] => {
  const older = days.slice(RECENT_WEEKS * WEEK_DAYS);
  return Array.from({ length: Math.floor(older.length / WEEK_DAYS) }, (_, week) =>
    older.slice(week * WEEK_DAYS, (week + 1) * WEEK_DAYS).reduce((total, day) => total.plus(cost(day)), ZERO),
  );
};

/** The factor from the level at `past` to the level at `start` (epoch milliseconds) under a weekly growth. */
export const growthFactor = (growth: number, past: number, start: number): Decimal =>
  decimal(Math.exp((growth * (start - past)) / (WEEK_DAYS * DAY_MS)).toFixed(FACTOR_DIGITS));
