import * as z from 'zod';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { type Budget, Likelihood } from '../../../../schemas/insight/budgets.ts';
import type { ForecastRange } from '../../../../schemas/insight/forecast.ts';
import { decimal, wholeNumber } from '../../../platform/shared/decimal.ts';
import type { Calendar } from '../../../platform/shared/time/calendar.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';

/** A threshold of a rolling budget can be crossed again this long after its last crossing. */
const REARM_INTERVAL_MS = 30 * DAY_MS;

/**
 * A correction rearms a threshold when it lowers the spend by so much below it, in percent of the ceiling. So spend that
 * moves around a threshold does not alert again and again. A threshold below 10 has half of itself.
 */
const HYSTERESIS_PERCENT = 5;
const hysteresisOf = (threshold: number): number => Math.min(HYSTERESIS_PERCENT, Math.floor(threshold / 2));

/**
 * A notified crossing of a threshold: one row per budget, period, threshold, likelihood and number of times it was rearmed
 * before.
 */
export const Crossing = z.object({
  budget_id: z.string(),
  threshold: z.int(),
  /** By the forecast, and how sure it is. Absent: by the spend. */
  likelihood: Likelihood.optional(),
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

/** The newest crossing of a threshold of a budget: by its spend, or by its forecast with this likelihood. */
export const newestCrossing = (
  budgetId: string,
  threshold: number,
  crossings: readonly Crossing[],
  likelihood?: Likelihood,
): Crossing | undefined =>
  crossings
    .filter(
      (one) => one.budget_id === budgetId && one.threshold === threshold && one.likelihood === likelihood,
    )
    .sort((one, other) => other.rearm_count - one.rearm_count)[0];

/** The crossing at `now` (epoch milliseconds) of a threshold whose `newest` one, if any, is over. */
export const newCrossing = <Of extends Pick<Crossing, 'budget_id' | 'threshold' | 'likelihood'>>(
  of: Of,
  newest: Crossing | undefined,
  now: number,
) => ({ ...of, rearm_count: newest === undefined ? 0 : newest.rearm_count + 1, crossed_at: toIso(now) });

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

/** Whether an amount reaches a percentage of a ceiling. Both amounts in USD. */
const reaches = (ceiling: string, amount: string, percent: number): boolean =>
  decimal(amount)
    .times(wholeNumber(100))
    .gte(decimal(ceiling).times(wholeNumber(percent)));

/** The thresholds of a budget that a spent amount in USD reaches, ascending. */
export const findReachedThresholds = (
  { ceiling_usd, thresholds }: Pick<Budget, 'ceiling_usd' | 'thresholds'>,
  spent: string,
): number[] => thresholds.filter((percent) => reaches(ceiling_usd, spent, percent));

/**
 * How sure it is that the spend reaches a percentage of the ceiling. Null: no end of the range reaches it, or the spend has
 * reached it already, which is no forecast.
 */
export const likelihoodOf = (
  { ceiling_usd }: Pick<Budget, 'ceiling_usd'>,
  { low, high }: ForecastRange,
  spent: string,
  percent: number,
): Likelihood | null => {
  if (reaches(ceiling_usd, spent, percent) || !reaches(ceiling_usd, high, percent)) return null;
  return reaches(ceiling_usd, low, percent) ? 'likely' : 'possible';
};

type Terms = Pick<Budget, 'ceiling_usd'> & { readonly terms_changed_at?: string | undefined };

/** Whether ceiling, period or scope of a budget changed after a crossing. */
export const isUnderOtherTerms = (
  { terms_changed_at: changedAt }: Pick<Terms, 'terms_changed_at'>,
  { crossed_at }: Pick<Crossing, 'crossed_at'>,
): boolean => changedAt !== undefined && changedAt >= crossed_at;

/**
 * Whether a crossing in effect is rearmed: the terms of the budget changed after it, and the spend does not reach the
 * threshold under them. Or the spend of its own period was corrected to well below the threshold: that of a rolling period
 * falls by itself as days leave it, which is no correction.
 */
export const isRearmed = (
  budget: Terms,
  crossing: Crossing,
  spent: { readonly now: string; readonly ofCrossing: string },
): boolean => {
  const { threshold } = crossing;
  return isUnderOtherTerms(budget, crossing)
    ? !reaches(budget.ceiling_usd, spent.now, threshold)
    : !reaches(budget.ceiling_usd, spent.ofCrossing, threshold - hysteresisOf(threshold));
};
