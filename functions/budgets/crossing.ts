import * as z from 'zod';
import { type Budget, type Threshold, thresholds } from '../../schemas/budgets.ts';
import type { RaisedEvent } from '../../schemas/events.ts';
import { createEvent } from '../events/createEvent.ts';
import { LENGTH } from '../rollups/grain.ts';
import { decimal, wholeNumber } from '../shared/decimal.ts';
import { sha256Of } from '../shared/hash.ts';
import { ulidOf } from '../shared/ulid.ts';
import { betweenOf, type Period } from './budgetPeriod.ts';
import type { Spend } from './spend.ts';

/** A threshold of a rolling budget is told again this long after it was told, if the spend is above it then. */
const REARM_INTERVAL_MS = 30 * LENGTH.day;

/** How often each threshold has been armed anew by changes of the budget. */
export const RearmCounts = z.record(z.string(), z.int());
export type RearmCounts = z.infer<typeof RearmCounts>;

export const rearmCount = (arms: RearmCounts, threshold: Threshold): number => arms[String(threshold)] ?? 0;

/** That a threshold was told of: one row for each budget, period and threshold, and for each time it was armed anew. */
export const Crossing = z.object({
  budget_id: z.string(),
  threshold: z.int(),
  arm: z.int(),
  crossed_at: z.iso.datetime(),
});
export type Crossing = z.infer<typeof Crossing>;

/** What a crossing's row is found under: the calendar period, or the rolling one that has no beginning. */
export const periodKey = (kind: Budget['period'], { from }: Period): string =>
  kind === 'rolling_30d' ? kind : `${kind}#${new Date(from).toISOString().slice(0, 10)}`;

/** Whether a crossing that was told of still stands at `now`: for its calendar period always. */
export const isCrossingInEffect = (kind: Budget['period'], { crossed_at }: Crossing, now: number): boolean =>
  kind !== 'rolling_30d' || Date.parse(crossed_at) + REARM_INTERVAL_MS > now;

/** The thresholds that an amount reaches, ascending. */
export const findReachedThresholds = (ceiling: string, spent: string): Threshold[] =>
  thresholds.filter((percent) =>
    decimal(spent)
      .times(wholeNumber(100))
      .gte(decimal(ceiling).times(wholeNumber(percent))),
  );

/** After a change of what a budget counts or allows: thresholds its spend is now below are armed anew. */
export const rearmThresholds = (arms: RearmCounts, ceiling: string, spent: string): RearmCounts => {
  const above = findReachedThresholds(ceiling, spent);
  return Object.fromEntries(
    thresholds.map((threshold) => [
      String(threshold),
      rearmCount(arms, threshold) + (above.includes(threshold) ? 0 : 1),
    ]),
  );
};

/** The event of a crossing; its id follows from budget, period, threshold and how often that was armed. */
export const crossedEvent = (
  tenant: { readonly tenant_id: string; readonly tag: string },
  budget: Pick<Budget, 'name' | 'ceiling_usd' | 'period'>,
  crossing: Crossing & { readonly threshold: Threshold },
  at: { readonly period: Period; readonly spend: Spend; readonly forecast: string | null },
): RaisedEvent => {
  const { budget_id, threshold, arm, crossed_at } = crossing;
  const { period, spend, forecast } = at;
  const instant = Date.parse(crossed_at);
  const turn = budget.period === 'rolling_30d' ? crossed_at : '';
  const cause = sha256Of(
    'budget threshold',
    budget_id,
    periodKey(budget.period, period),
    turn,
    String(threshold),
    String(arm),
  );
  const data = {
    budget_id,
    name: budget.name,
    threshold,
    period_to_date_usd: Number(spend.spent),
    ceiling_usd: Number(budget.ceiling_usd),
    exact: {
      period_to_date_usd: spend.spent,
      ceiling_usd: budget.ceiling_usd,
      forecast_usd: forecast,
    },
    period: betweenOf(period),
    as_of: new Date(spend.asOf ?? instant).toISOString(),
  };
  return createEvent('budget.threshold.crossed', data, { ulid: ulidOf(instant, cause), at: instant, tenant });
};
