import * as z from 'zod';
import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import { type Budget, type Threshold, thresholds } from '../../../schemas/insight/budgets.ts';
import { createEvent } from '../../platform/outbox/createEvent.ts';
import { decimal, wholeNumber } from '../../platform/shared/decimal.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { ulidOf } from '../../platform/shared/ulid.ts';
import { betweenOf } from './budgetPeriod.ts';
import type { Spend } from './spend.ts';

/** A threshold of a rolling budget can be crossed again this long after its last crossing. */
const REARM_INTERVAL_MS = 30 * DAY_MS;

/** How often changes of the budget have rearmed each threshold, by threshold. */
export const RearmCounts = z.record(z.string(), z.int());
export type RearmCounts = z.infer<typeof RearmCounts>;

export const rearmCount = (counts: RearmCounts, threshold: Threshold): number =>
  counts[String(threshold)] ?? 0;

/** A notified crossing of a threshold: one row per budget, period, threshold and rearm count. */
export const Crossing = z.object({
  budget_id: z.string(),
  threshold: z.int(),
  rearm_count: z.int(),
  crossed_at: z.iso.datetime(),
});
export type Crossing = z.infer<typeof Crossing>;

/** Partition key of the crossings of a period: the kind and its first day, or the kind alone for the rolling period. */
export const periodKey = (kind: Budget['period'], { from }: Interval): string =>
  kind === 'rolling_30d' ? kind : `${kind}#${new Date(from).toISOString().slice(0, 10)}`;

/** Whether a crossing still holds at `now` (epoch milliseconds). In a calendar period it always does. */
export const isCrossingInEffect = (kind: Budget['period'], { crossed_at }: Crossing, now: number): boolean =>
  kind !== 'rolling_30d' || Date.parse(crossed_at) + REARM_INTERVAL_MS > now;

/** The thresholds that a spent amount reaches, ascending. Both amounts in USD. */
export const findReachedThresholds = (ceiling: string, spent: string): Threshold[] =>
  thresholds.filter((percent) =>
    decimal(spent)
      .times(wholeNumber(100))
      .gte(decimal(ceiling).times(wholeNumber(percent))),
  );

/** The rearm counts after a change of a budget's terms: increments each threshold that the spend does not reach. */
export const rearmThresholds = (counts: RearmCounts, ceiling: string, spent: string): RearmCounts => {
  const reached = findReachedThresholds(ceiling, spent);
  return Object.fromEntries(
    thresholds.map((threshold) => [
      String(threshold),
      rearmCount(counts, threshold) + (reached.includes(threshold) ? 0 : 1),
    ]),
  );
};

/** The event of a crossing. Its id is derived from budget, period, threshold and rearm count. */
export const crossedEvent = (
  tenant: { readonly tenant_id: string; readonly tag: string },
  budget: Pick<Budget, 'name' | 'ceiling_usd' | 'period' | 'basis'>,
  crossing: Crossing & { readonly threshold: Threshold },
  at: { readonly period: Interval; readonly spend: Spend; readonly forecast: string | null },
): RaisedEvent => {
  const { budget_id, threshold, rearm_count, crossed_at } = crossing;
  const { period, spend, forecast } = at;
  const instant = Date.parse(crossed_at);
  const rollingInstant = budget.period === 'rolling_30d' ? crossed_at : '';
  const digest = sha256Of(
    'budget threshold',
    budget_id,
    periodKey(budget.period, period),
    rollingInstant,
    String(threshold),
    String(rearm_count),
  );
  const data = {
    budget_id,
    name: budget.name,
    basis: budget.basis,
    threshold,
    period_to_date_usd: Number(spend.spent),
    ceiling_usd: Number(budget.ceiling_usd),
    exact: {
      period_to_date_usd: spend.spent,
      ceiling_usd: budget.ceiling_usd,
      forecast_usd: forecast,
    },
    period: betweenOf(period),
    as_of: toIso(spend.asOf ?? instant),
  };
  return createEvent('budget.threshold.crossed', data, {
    ulid: ulidOf(instant, digest),
    at: instant,
    tenant,
  });
};
