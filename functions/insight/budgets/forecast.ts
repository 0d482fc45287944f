import { DAY_MS } from '../../../schemas/durations.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import { type Decimal, decimal, toDecimalString, wholeNumber } from '../../platform/shared/decimal.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { type SpendByDay, spendWithin } from './spend.ts';

/** Whole days before today that a forecast uses: four of each weekday. */
const LOOKBACK_DAYS = 28;
/** Whole days of data needed for a forecast. */
const KNOWN_DAYS_MINIMUM = 3;

const ZERO = decimal('0');
const WEEK = 7;

/** The first day that a forecast at `now` uses (epoch milliseconds). */
export const lookbackFrom = (now: number): number => startOf('day', now) - LOOKBACK_DAYS * DAY_MS;

const mean = (values: readonly Decimal[]): Decimal =>
  values.reduce((total, value) => total.plus(value), ZERO).div(wholeNumber(values.length));

/** The expected cost of each weekday, by its distance in days from `today`. Null when there is too little data. */
const expectedDays = (days: SpendByDay, today: number): readonly Decimal[] | null => {
  const earliest = today - LOOKBACK_DAYS * DAY_MS;
  const parts = Map.groupBy(days, ([at]) => startOf('day', at));
  const known = [...parts.keys()].filter((day) => day >= earliest && day < today);
  if (known.length === 0) return null;
  const first = Math.min(...known);
  const length = (today - first) / DAY_MS;
  if (length < KNOWN_DAYS_MINIMUM) return null;
  const spentOn = (day: number): Decimal =>
    (parts.get(day) ?? []).reduce((total, [, { spent }]) => total.plus(spent), ZERO);
  const past = Array.from({ length }, (_, index) => first + index * DAY_MS);
  const isRegular = length === LOOKBACK_DAYS && known.length * 2 >= LOOKBACK_DAYS;
  return Array.from({ length: WEEK }, (_, offset) =>
    mean(
      past
        .filter((day) => !isRegular || ((today - day) / DAY_MS) % WEEK === (WEEK - offset) % WEEK)
        .map(spentOn),
    ),
  );
};

/**
 * The expected cost of a period at its end, in USD: the spend so far, and the expected cost of each UTC day times the share of
 * it that is left in the period. The expected cost of a day is the mean
 * of its weekday in the last 28 days. When fewer than 28 days are known, or more than half of them are idle, it is the
 * mean of all known days. Null before three whole days are known.
 */
export const forecast = (days: SpendByDay, period: Interval, now: number): string | null => {
  const { spent } = spendWithin(days, period);
  if (now >= period.to) return spent;
  const today = startOf('day', now);
  const expected = expectedDays(days, today);
  if (expected === null) return null;
  const expectedOn = (day: number): Decimal => expected[((day - today) / DAY_MS) % WEEK] ?? ZERO;
  let total = decimal(spent);
  for (let day = today; day < period.to; day += DAY_MS) {
    const left = Math.min(day + DAY_MS, period.to) - Math.max(day, now);
    total = total.plus(expectedOn(day).times(wholeNumber(left).div(wholeNumber(DAY_MS))));
  }
  return toDecimalString(total);
};
