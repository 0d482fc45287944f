import { startOf } from '../../ledger/rollups/grain.ts';
import { decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { forecastRest, lookbackFrom } from '../trends/forecast.ts';
import { type SpendByDay, spendWithin } from './spend.ts';

/** The whole UTC days before `now` (epoch milliseconds) that a forecast uses. */
export const lookback = (now: number): Interval => ({ from: lookbackFrom(now), to: startOf('day', now) });

/** The spend at the end of a period, in USD: the spend so far and the {@link forecastRest | forecast} of the rest. */
export interface PeriodForecast {
  readonly low: string;
  readonly central: string;
  readonly high: string;
}

/**
 * The expected spend of a period at its end. `days` hold the {@link lookback}. Null before three whole days are
 * known. Afterwards it is what was spent.
 */
export const forecast = (days: SpendByDay, period: Interval, now: number): PeriodForecast | null => {
  const { spent } = spendWithin(days, period);
  if (now >= period.to) return { low: spent, central: spent, high: spent };
  const { from, to: today } = lookback(now);
  const byDay = Map.groupBy(days, ([at]) => startOf('day', at));
  const known = [...byDay.keys()].filter((day) => day >= from && day < today);
  if (known.length === 0) return null;
  const costOf = (day: number) =>
    (byDay.get(day) ?? []).reduce((total, [, one]) => total.plus(one.spent), decimal('0'));
  const rest = forecastRest(costOf, Math.min(...known), { from: now, to: period.to });
  if (rest === null) return null;
  const atEnd = (amount: typeof rest.central): string => toDecimalString(amount.plus(decimal(spent)));
  return { low: atEnd(rest.low), central: atEnd(rest.central), high: atEnd(rest.high) };
};
