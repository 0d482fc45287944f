import { magnitude } from '../../../../sdk/typescript/src/decimal.ts';
import type { Budget } from '../../../../sdk/typescript/src/types.ts';
import { formatUsd } from '../../format/amount.ts';
import { isoDay, lastDayOf } from '../../format/time.ts';

/** The sum of the known prices of some calls. Null if none of them need have one: an unknown spend is not zero. */
export const knownSpend = (spent: string | null, unpriced: number | null): string | null =>
  magnitude(spent) === 0 && unpriced !== null && unpriced > 0 ? null : spent;

export const spentOf = (budget: Budget): string | null =>
  knownSpend(budget.period_to_date_usd, budget.unpriced_invocations);

/** The spend at the end of the period. Null if it is too early, or if the spend so far is unknown. */
export const forecastOf = (budget: Budget): string | null =>
  spentOf(budget) === null ? null : budget.forecast_usd;

/** The range of the forecast in words, empty without a forecast. */
export const rangeText = (budget: Budget): string => {
  const range = forecastOf(budget) === null ? null : budget.forecast_range_usd;
  return range === null ? '' : ` (${formatUsd(range.low)} to ${formatUsd(range.high)})`;
};

/** The spend of the period of a budget, on the page Explore. It cannot filter by tags. */
export const exploreLink = ({ scope, current_period: period }: Budget): string => {
  const search = new URLSearchParams({
    from: period.from.slice(0, 10),
    to: isoDay(Math.min(lastDayOf(period.to), Date.now())),
  });
  for (const name of ['owner', 'service', 'provider'] as const) {
    const value = scope[name];
    if (value !== undefined) search.set(name, value);
  }
  return `/explore?${search}`;
};
