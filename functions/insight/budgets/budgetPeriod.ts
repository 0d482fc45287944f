import { DAY_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import type { Between, BudgetPeriod } from '../../../schemas/insight/budgets.ts';
import type { Calendar } from '../../platform/shared/time/calendar.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';

const ROLLING_DAYS = 30;
/** How long a period is evaluated after its end, because events and cost allocations can arrive late. */
const EVALUATION_GRACE_MS = 8 * DAY_MS;
/** Producers' clocks may be ten minutes ahead of the server clock. The rest allows for drift of the server clock. */
const CLOCK_SKEW_MS = 15 * MINUTE_MS;

/** The budget period that contains an instant (epoch milliseconds). The rolling period ends with the day of the instant. */
export const periodOf = (kind: BudgetPeriod, at: number, calendar: Calendar): Interval =>
  kind === 'rolling_30d'
    ? { from: calendar.shift('day', at, 1 - ROLLING_DAYS), to: calendar.shift('day', at, 1) }
    : { from: calendar.startOf(kind, at), to: calendar.shift(kind, at, 1) };

/** The period that contains `at` (epoch milliseconds) and those before it, newest first. Rolling ones do not overlap. */
export const periodsUntil = (
  kind: BudgetPeriod,
  at: number,
  count: number,
  calendar: Calendar,
): Interval[] => {
  const periods = [periodOf(kind, at, calendar)];
  for (let [last] = periods; last !== undefined && periods.length < count; last = periods.at(-1))
    periods.push(periodOf(kind, last.from - 1, calendar));
  return periods;
};

export const betweenOf = ({ from, to }: Interval): Between => ({
  from: toIso(from),
  to: toIso(to),
});

/**
 * The periods of a budget to evaluate at `now` after the spend at these instants changed (all epoch milliseconds). Leaves
 * out periods past their grace time, and periods that ended before the budget was created.
 */
export const periodsToEvaluate = (
  budget: { readonly period: BudgetPeriod; readonly created_at: string },
  instants: readonly number[],
  now: number,
  calendar: Calendar,
): Interval[] => {
  const createdAt = Date.parse(budget.created_at);
  const plausible = instants.filter((at) => at < now + CLOCK_SKEW_MS);
  if (budget.period === 'rolling_30d') {
    // There is one rolling period at a time: that of `now`, or that of a call whose clock is ahead and past midnight.
    const current = periodOf('rolling_30d', Math.max(now, ...plausible), calendar);
    return plausible.some((at) => at >= current.from) ? [current] : [];
  }
  const periods = new Map(
    plausible.map((at) => {
      const period = periodOf(budget.period, at, calendar);
      return [period.from, period] as const;
    }),
  );
  return [...periods.values()].filter(({ to }) => to > now - EVALUATION_GRACE_MS && to > createdAt);
};
