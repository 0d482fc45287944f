import { addDecimals } from '../../ledger/rollups/figures.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import { decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { forecastRest, lookbackFrom } from './forecast.ts';

/** Costs in USD with the instant at which they are counted (epoch milliseconds). */
export type CostsInTime = readonly (readonly [at: number, usd: string])[];

/** The cost of a period at its end, in USD: what was spent so far, and the {@link forecastRest | forecast} of the rest. */
export interface PeriodForecast {
  readonly low: string;
  readonly central: string;
  readonly high: string;
}

/** The whole UTC days before `now` (epoch milliseconds) that a forecast uses. */
export const lookback = (now: number): Interval => ({ from: lookbackFrom(now), to: startOf('day', now) });

/**
 * The expected cost of a period at its end. `costs` hold those of the period and of the {@link lookback}. Null before three
 * whole days are known. After the end of the period it is what was spent.
 */
export const forecastPeriod = (costs: CostsInTime, period: Interval, now: number): PeriodForecast | null => {
  const spent = costs.reduce(
    (total, [at, usd]) => (period.from <= at && at < period.to ? addDecimals(total, usd) : total),
    '0',
  );
  if (now >= period.to) return { low: spent, central: spent, high: spent };
  const { from, to: today } = lookback(now);
  const byDay = Map.groupBy(costs, ([at]) => startOf('day', at));
  const known = [...byDay.keys()].filter((day) => day >= from && day < today);
  if (known.length === 0) return null;
  const costOf = (day: number) =>
    decimal((byDay.get(day) ?? []).reduce((total, [, usd]) => addDecimals(total, usd), '0'));
  const rest = forecastRest(costOf, Math.min(...known), { from: now, to: period.to });
  if (rest === null) return null;
  const atEnd = (amount: typeof rest.central): string => toDecimalString(amount.plus(decimal(spent)));
  return { low: atEnd(rest.low), central: atEnd(rest.central), high: atEnd(rest.high) };
};
