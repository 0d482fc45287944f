import type { ForecastMembers } from '../../../schemas/insight/forecast.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import { decimal, sumDecimals, toDecimalString } from '../../platform/shared/decimal.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { forecastRest, lookbackFrom } from './forecast.ts';

/** Cost in USD of the calls that are counted at an instant (epoch milliseconds), and how many have a known price or none. */
export interface CostInTime {
  readonly at: number;
  readonly spent: string;
  readonly priced: number;
  readonly unpriced: number;
}

/** The whole UTC days before `now` (epoch milliseconds) that a forecast uses. */
export const lookback = (now: number): Interval => ({ from: lookbackFrom(now), to: startOf('day', now) });

const spentIn = (costs: readonly CostInTime[]): string => sumDecimals(costs.map(({ spent }) => spent));

/** Whether there are calls, and none of them has a known price. Their cost is unknown, not 0. */
const isUnpriced = (costs: readonly CostInTime[]): boolean =>
  costs.some(({ unpriced }) => unpriced > 0) && costs.every(({ priced }) => priced === 0);

const unknown = (reason: ForecastMembers['forecast_unknown']): ForecastMembers => ({
  forecast_usd: null,
  forecast_range_usd: null,
  forecast_unknown: reason,
});

const known = (low: string, central: string, high: string): ForecastMembers => ({
  forecast_usd: central,
  forecast_range_usd: { low, high },
  forecast_unknown: null,
});

/**
 * The expected cost of a period at its end: what was spent, and the {@link forecastRest | forecast} of the rest. `costs` hold
 * those of the period and of the {@link lookback}. After the end of the period it is what was spent. A day without a known
 * price would lower the level as if it were idle, so only the days after the last such day are used.
 */
export const forecastPeriod = (
  costs: readonly CostInTime[],
  period: Interval,
  now: number,
): ForecastMembers => {
  const ofPeriod = costs.filter(({ at }) => period.from <= at && at < period.to);
  if (isUnpriced(ofPeriod)) return unknown('unpriced_calls');
  const spent = spentIn(ofPeriod);
  if (now >= period.to) return known(spent, spent, spent);
  const { from, to: today } = lookback(now);
  const byDay = Map.groupBy(costs, ({ at }) => startOf('day', at));
  const past = [...byDay.keys()].filter((day) => day >= from && day < today);
  const lastUnpriced = Math.max(...past.filter((day) => isUnpriced(byDay.get(day) ?? [])));
  const since = Math.min(...past.filter((day) => day > lastUnpriced));
  const costOf = (day: number) => decimal(spentIn(byDay.get(day) ?? []));
  const rest = Number.isFinite(since) ? forecastRest(costOf, since, { from: now, to: period.to }) : null;
  if (rest === null) return unknown(Number.isFinite(lastUnpriced) ? 'unpriced_calls' : 'too_few_days');
  const atEnd = (amount: typeof rest.central): string => toDecimalString(amount.plus(decimal(spent)));
  return known(atEnd(rest.low), atEnd(rest.central), atEnd(rest.high));
};
