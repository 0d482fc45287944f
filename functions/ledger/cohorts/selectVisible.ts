import type { Interval } from '../../platform/shared/time/interval.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../platform/shared/time/month.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';
import type { Cohort } from './cohorts.ts';

/** Whether all calls of the cohorts happened in the interval in which they are counted. */
export const isCountedInOwnInterval = (cohorts: readonly Cohort[]): boolean =>
  cohorts.every(({ at, length, parts }) => {
    const start = Math.floor(at / length) * length;
    return parts.every((part) => start <= part.at && part.at + part.length <= start + length);
  });

/**
 * Selects the cohorts of a range that a caller may see. A cohort is shown completely or not at all, depending on the time at
 * which it is counted and on the caller's lane. `exact` is true when these are exactly the calls of the range. It is decided
 * for whole months, since an answer for single days would disclose on which day a person called.
 */
export const selectVisible = (
  cohorts: readonly Cohort[],
  { from, to }: Interval,
  lane: string | null,
): { readonly shown: readonly Cohort[]; readonly exact: boolean } => {
  const isInCallerLane = (cohort: Cohort): boolean => isInLane(cohort.lane, lane);
  const isHidden = (cohort: Cohort): boolean =>
    !isInCallerLane(cohort) && cohort.parts.some(({ cell }) => cell.lane === lane);
  const isExact = [...Map.groupBy(cohorts, ({ at }) => monthOf(at))].every(([month, inside]) => {
    const isCovered = from <= startOfMonth(month) && startOfNextMonth(month) <= to;
    return !inside.some(isHidden) && (isCovered || isCountedInOwnInterval(inside.filter(isInCallerLane)));
  });
  return {
    shown: cohorts.filter((cohort) => from <= cohort.at && cohort.at < to && isInCallerLane(cohort)),
    exact: isExact,
  };
};
