import { DAY_MS } from '../../../schemas/durations.ts';
import type { AnomalyGrain } from '../../../schemas/insight/anomalies.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import { type Decimal, ZERO } from '../../platform/shared/decimal.ts';
import { baselinePeriods } from './baseline.ts';
import { median } from './expectation.ts';
import type { Series } from './series.ts';

/** An excess that a series had so many times in eight weeks is usual for it. */
const EPISODES = 3;

/** How many times something happened that may last several days (epoch milliseconds). */
const episodesOf = (days: readonly number[]): number => {
  const known = new Set(days);
  return [...known].filter((day) => !known.has(day - DAY_MS)).length;
};

/**
 * Whether a series had an excess of this size several times in its history, at about this time of day. The spread of a history
 * is a median, which rare peaks do not change. Where they return every few weeks, each would be reported as unusual. Days in
 * succession are one peak: a cost that stays high is not usual after three days.
 *
 * A period is compared with the median of its row, or, if that is 0, by its amount.
 */
export const isRecurring = (
  { cost, since }: Pick<Series, 'cost' | 'since'>,
  grain: AnomalyGrain,
  start: number,
  { observed, central }: { readonly observed: Decimal; readonly central: Decimal },
): boolean => {
  const days = baselinePeriods(grain, start, since).flatMap((row) => {
    const usual = median(row.map((past) => cost(grain, past)));
    const isPeak = (amount: Decimal): boolean =>
      usual.gt(ZERO) && central.gt(ZERO)
        ? amount.times(central).gte(observed.times(usual))
        : amount.gte(observed);
    return row.filter((past) => isPeak(cost(grain, past))).map((past) => startOf('day', past));
  });
  return episodesOf(days) >= EPISODES;
};
