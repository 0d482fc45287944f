import * as z from 'zod';
import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import type { Budget } from '../../../schemas/insight/budgets.ts';
import type { ForecastMembers } from '../../../schemas/insight/forecast.ts';
import { createEvent } from '../../platform/outbox/createEvent.ts';
import { decimal, wholeNumber } from '../../platform/shared/decimal.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import type { Calendar } from '../../platform/shared/time/calendar.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { ulidOf } from '../../platform/shared/ulid.ts';
import { calendarOf, type Tenant } from '../../platform/tenancy/tenant.ts';
import { betweenOf } from './budgetPeriod.ts';
import type { Spend } from './spend.ts';

/** A threshold of a rolling budget can be crossed again this long after its last crossing. */
const REARM_INTERVAL_MS = 30 * DAY_MS;

/**
 * A correction rearms a threshold when it lowers the spend by so much below it, in percent of the ceiling. So spend that
 * moves around a threshold does not alert again and again. A threshold below 10 has half of itself.
 */
const HYSTERESIS_PERCENT = 5;
const hysteresisOf = (threshold: number): number => Math.min(HYSTERESIS_PERCENT, Math.floor(threshold / 2));

/** A notified crossing of a threshold: one row per budget, period, threshold and number of times it was rearmed before. */
export const Crossing = z.object({
  budget_id: z.string(),
  threshold: z.int(),
  rearm_count: z.int(),
  crossed_at: z.iso.datetime(),
  /** When a change of the budget or a correction of its spend rearmed the threshold. */
  rearmed_at: z.iso.datetime().optional(),
});
export type Crossing = z.infer<typeof Crossing>;

/**
 * Partition key of the crossings of a period: the kind and its first day, or the kind alone for the rolling period. It is the
 * same in each time zone, so nothing is reported again when a tenant changes its zone.
 */
export const periodKey = (kind: Budget['period'], { from }: Interval, calendar: Calendar): string =>
  kind === 'rolling_30d' ? kind : `${kind}#${calendar.dateOf(from)}`;

/** The newest crossing of a threshold of a budget. */
export const newestCrossing = (
  budgetId: string,
  threshold: number,
  crossings: readonly Crossing[],
): Crossing | undefined =>
  crossings
    .filter((one) => one.budget_id === budgetId && one.threshold === threshold)
    .sort((one, other) => other.rearm_count - one.rearm_count)[0];

/** Whether a crossing still holds at `now` (epoch milliseconds): the threshold is not crossed again. */
export const isCrossingInEffect = (
  kind: Budget['period'],
  { crossed_at, rearmed_at }: Pick<Crossing, 'crossed_at' | 'rearmed_at'>,
  now: number,
): boolean =>
  rearmed_at === undefined && (kind !== 'rolling_30d' || Date.parse(crossed_at) + REARM_INTERVAL_MS > now);

/** The thresholds of a budget that are crossed at `now` (epoch milliseconds), ascending. */
export const crossedThresholds = (
  { id, period, thresholds }: Pick<Budget, 'id' | 'period' | 'thresholds'>,
  crossings: readonly Crossing[],
  now: number,
): number[] =>
  thresholds.filter((threshold) => {
    const crossing = newestCrossing(id, threshold, crossings);
    return crossing !== undefined && isCrossingInEffect(period, crossing, now);
  });

/** Whether a spent amount reaches a percentage of a ceiling. Both amounts in USD. */
const reaches = (ceiling: string, spent: string, percent: number): boolean =>
  decimal(spent)
    .times(wholeNumber(100))
    .gte(decimal(ceiling).times(wholeNumber(percent)));

/** The thresholds of a budget that a spent amount in USD reaches, ascending. */
export const findReachedThresholds = (
  { ceiling_usd, thresholds }: Pick<Budget, 'ceiling_usd' | 'thresholds'>,
  spent: string,
): number[] => thresholds.filter((percent) => reaches(ceiling_usd, spent, percent));

/**
 * Whether a crossing in effect is rearmed: the terms of the budget changed after it, and the spend does not reach the
 * threshold under them. Or the spend of its own period was corrected to well below the threshold: that of a rolling period
 * falls by itself as days leave it, which is no correction.
 */
export const isRearmed = (
  {
    ceiling_usd,
    terms_changed_at,
  }: Pick<Budget, 'ceiling_usd'> & { readonly terms_changed_at?: string | undefined },
  { threshold, crossed_at }: Crossing,
  spent: { readonly now: string; readonly ofCrossing: string },
): boolean =>
  terms_changed_at !== undefined && terms_changed_at >= crossed_at
    ? !reaches(ceiling_usd, spent.now, threshold)
    : !reaches(ceiling_usd, spent.ofCrossing, threshold - hysteresisOf(threshold));

/** The event of a crossing. Its id is derived from budget, period, threshold and rearm count. */
export const crossedEvent = (
  tenant: Pick<Tenant, 'tenant_id' | 'tag' | 'time_zone'>,
  budget: Pick<Budget, 'name' | 'ceiling_usd' | 'period' | 'basis'>,
  crossing: Crossing,
  at: { readonly period: Interval; readonly spend: Spend; readonly forecast: ForecastMembers },
): RaisedEvent => {
  const { budget_id, threshold, rearm_count, crossed_at } = crossing;
  const { period, spend, forecast } = at;
  const instant = Date.parse(crossed_at);
  const rollingInstant = budget.period === 'rolling_30d' ? crossed_at : '';
  const digest = sha256Of(
    'budget threshold',
    budget_id,
    periodKey(budget.period, period, calendarOf(tenant)),
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
      ...forecast,
    },
    period: betweenOf(period),
    as_of: toIso(Math.min(spend.asOf ?? instant, instant)),
  };
  return createEvent('budget.threshold.crossed', data, {
    ulid: ulidOf(instant, digest),
    at: instant,
    tenant,
  });
};
