import { magnitude } from '../../../../sdk/shared/decimal.ts';
import type { Budget } from '../../../../sdk/typescript/src/types.ts';
import { formatUsd } from '../../format/amount.ts';
import { formatDayIn, isoDay, lastDayOf } from '../../format/time.ts';
import { exploreLink } from '../explore/exploreState.ts';

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

/** Shares of the ceiling that the bar of a budget marks: its thresholds, and the ceiling itself. */
export const marksOf = ({ thresholds }: Budget): readonly number[] => [
  ...new Set([1, ...thresholds.map((percent) => percent / 100)]),
];

/** The first and the last day of a period, as the tenant counts days. */
export const daysOfPeriod = ({ from, to }: Budget['current_period'], timeZone: string): string =>
  `${formatDayIn(from, timeZone)} – ${formatDayIn(lastDayOf(to), timeZone)}`;

/** The spend of the period of a budget, on the page Explore. It filters by cost allocation tags only, so tags are left out. */
export const spendLink = ({ scope, current_period: period }: Budget): string => {
  const { tags: _tags, ...names } = scope;
  return exploreLink({
    from: period.from.slice(0, 10),
    to: isoDay(Math.min(lastDayOf(period.to), Date.now())),
    ...names,
  });
};
