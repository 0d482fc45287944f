import type { Between, BudgetPeriod } from '../../schemas/budgets.ts';
import { LENGTH, startOf } from '../rollups/grain.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../shared/month.ts';

const ROLLING_DAYS = 30;
/** A period that has ended is watched for so long, for events that come late and days that are shared out late. */
const LATE_MILLISECONDS = 8 * LENGTH.day;
/** Producers' clocks may be ten minutes ahead of ours, and ours a little behind. */
const AHEAD_MILLISECONDS = 15 * LENGTH.minute;

/** A stretch of whole days of UTC, epoch milliseconds: `from` included, `to` not. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

const periodAround: Readonly<Record<BudgetPeriod, (at: number) => Period>> = {
  month: (at) => ({ from: startOfMonth(monthOf(at)), to: startOfNextMonth(monthOf(at)) }),
  quarter: (at) => {
    const day = new Date(at);
    const first = Math.floor(day.getUTCMonth() / 3) * 3;
    return {
      from: Date.UTC(day.getUTCFullYear(), first),
      to: Date.UTC(day.getUTCFullYear(), first + 3),
    };
  },
  rolling_30d: (at) => {
    const to = startOf('day', at) + LENGTH.day;
    return { from: to - ROLLING_DAYS * LENGTH.day, to };
  },
};

/** The period of a budget that an instant (epoch milliseconds) lies in; the rolling one ends with its day. */
export const periodOf = (kind: BudgetPeriod, at: number): Period => periodAround[kind](at);

export const betweenOf = ({ from, to }: Period): Between => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

/**
 * The periods of a budget that spend at these instants may have changed and that are still watched at `now`. Periods
 * that ended before the budget was made are none of its own.
 */
export const periodsToEvaluate = (
  budget: { readonly period: BudgetPeriod; readonly created_at: string },
  instants: readonly number[],
  now: number,
): Period[] => {
  const made = Date.parse(budget.created_at);
  const near = instants.filter((at) => at < now + AHEAD_MILLISECONDS);
  if (budget.period === 'rolling_30d') {
    // There is one rolling period at a time: that of now, or of a call that is ahead of it over midnight.
    const current = periodOf('rolling_30d', Math.max(now, ...near));
    return near.some((at) => at >= current.from) ? [current] : [];
  }
  const periods = new Map(
    near.map((at) => {
      const period = periodOf(budget.period, at);
      return [period.from, period] as const;
    }),
  );
  return [...periods.values()].filter(({ to }) => to > now - LATE_MILLISECONDS && to > made);
};
