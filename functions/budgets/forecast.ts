import { LENGTH, startOf } from '../rollups/grain.ts';
import { type Decimal, decimal, toDecimalString, wholeNumber } from '../shared/decimal.ts';
import type { Period } from './budgetPeriod.ts';
import { type SpendByDay, spendWithin } from './spend.ts';

/** Whole days before today that a forecast looks back: four of each weekday. */
const LOOKBACK_DAYS = 28;
/** Whole days that must be known before anything is foretold. */
const KNOWN_DAYS_MINIMUM = 3;

const ZERO = decimal('0');
const WEEK = 7;

/** The first day a forecast at `now` may look at, epoch milliseconds. */
export const lookbackFrom = (now: number): number => startOf('day', now) - LOOKBACK_DAYS * LENGTH.day;

const mean = (values: readonly Decimal[]): Decimal =>
  values.reduce((total, value) => total.plus(value), ZERO).div(wholeNumber(values.length));

/** What each weekday is expected to cost, by its place from `today` on; null when too little is known. */
const expectedDays = (days: SpendByDay, today: number): readonly Decimal[] | null => {
  const earliest = today - LOOKBACK_DAYS * LENGTH.day;
  const known = [...days.keys()].filter((day) => day >= earliest && day < today);
  if (known.length === 0) return null;
  const first = Math.min(...known);
  const length = (today - first) / LENGTH.day;
  if (length < KNOWN_DAYS_MINIMUM) return null;
  const spentOn = (day: number): Decimal => decimal(days.get(day)?.spent ?? '0');
  const past = Array.from({ length }, (_, index) => first + index * LENGTH.day);
  const isRegular = length === LOOKBACK_DAYS && known.length * 2 >= LOOKBACK_DAYS;
  return Array.from({ length: WEEK }, (_, place) =>
    mean(
      past
        .filter((day) => !isRegular || ((today - day) / LENGTH.day) % WEEK === (WEEK - place) % WEEK)
        .map(spentOn),
    ),
  );
};

/**
 * What a period will have cost by its end: what is spent, the rest of today by the share of the day that is left, and
 * for each day behind it the mean of its weekday in the last 28 days. Where these are not all known, or most of them
 * idle, every day counts the mean of those that are known: a straight line. Null before three whole days are known.
 */
export const forecast = (days: SpendByDay, period: Period, now: number): string | null => {
  const { spent } = spendWithin(days, period);
  if (now >= period.to) return spent;
  const today = startOf('day', now);
  const expected = expectedDays(days, today);
  if (expected === null) return null;
  const on = (day: number): Decimal => expected[((day - today) / LENGTH.day) % WEEK] ?? ZERO;
  const left = wholeNumber(today + LENGTH.day - now).div(wholeNumber(LENGTH.day));
  let total = decimal(spent).plus(on(today).times(left));
  for (let day = today + LENGTH.day; day < period.to; day += LENGTH.day) total = total.plus(on(day));
  return toDecimalString(total);
};
