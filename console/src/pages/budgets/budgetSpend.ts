import { magnitude } from '../../../../sdk/typescript/src/decimal.ts';
import type { Budget } from '../../../../sdk/typescript/src/types.ts';
import { formatUsd } from '../../format/amount.ts';
import { isoDay, lastDayOf } from '../../format/time.ts';

/** The sum of the known prices of some calls. Null if none of them need have one: an unknown spend is not zero. */
export const knownSpend = (spent: string | null, unpriced: number | null): string | null =>
  magnitude(spent) === 0 && unpriced !== null && unpriced > 0 ? null : spent;

export const spentOf = (budget: Budget): string | null =>
  knownSpend(budget.period_to_date_usd, budget.unpriced_invocations);

/** The forecast with its range in words, or why there is none. */
export const forecastText = ({
  forecast_usd: usd,
  forecast_range_usd: range,
  forecast_unknown: reason,
}: Budget): string => {
  if (usd === null)
    return reason === 'unpriced_calls' ? 'forecast unknown: no known prices' : 'too early to forecast';
  return `forecast ${formatUsd(usd)}${range === null ? '' : ` (${formatUsd(range.low)} to ${formatUsd(range.high)})`}`;
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
