import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import type { AnomalyGrain } from '../../../schemas/insight/anomalies.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import { type Decimal, ZERO } from '../../platform/shared/decimal.ts';
import { daysBefore } from './baseline.ts';
import { median } from './expectation.ts';
import type { Series } from './series.ts';

/** Jobs that do not run on a fixed date run near the beginning or the end of a month, often on a working day. */
const EDGE_DAYS = 7;

const isWorkingDay = (day: number): boolean => ![0, 6].includes(new Date(day).getUTCDay());

/** The days of a month (UTC, epoch milliseconds). A month below 0 or above 11 belongs to another year. */
const daysOfMonth = (year: number, month: number): number[] => {
  const first = Date.UTC(year, month);
  const length = (Date.UTC(year, month + 1) - first) / DAY_MS;
  return Array.from({ length }, (_, index) => first + index * DAY_MS);
};

/**
 * The days of the previous month at the same place in it as `day`: the same date, and near the edges of the month also the
 * same distance from its end and the same working day from its beginning or end. All are UTC, epoch milliseconds.
 */
export const samePlaceLastMonth = (day: number): number[] => {
  const [year, month] = [new Date(day).getUTCFullYear(), new Date(day).getUTCMonth()];
  const [days, before] = [daysOfMonth(year, month), daysOfMonth(year, month - 1)];
  const places = [
    { here: days, there: before, reach: days.length },
    { here: days.toReversed(), there: before.toReversed(), reach: EDGE_DAYS },
    { here: days.filter(isWorkingDay), there: before.filter(isWorkingDay), reach: EDGE_DAYS },
    {
      here: days.filter(isWorkingDay).toReversed(),
      there: before.filter(isWorkingDay).toReversed(),
      reach: EDGE_DAYS,
    },
  ];
  const found = places.flatMap(({ here, there, reach }) => {
    const place = here.indexOf(day);
    return place >= 0 && place < reach ? there.slice(place, place + 1) : [];
  });
  return [...new Set(found)];
};

/**
 * What a job costs that runs each month at the place of this period: the highest cost of a period at the same place in the
 * previous month above the median of its weekday. For an hour also the hours next to it count. 0 without such a job.
 */
export const monthlyJobCost = (
  { cost, since }: Pick<Series, 'cost' | 'since'>,
  grain: AnomalyGrain,
  start: number,
): Decimal => {
  const day = startOf('day', start);
  const times = (grain === 'day' ? [0] : [-HOUR_MS, 0, HOUR_MS]).map((shift) => start - day + shift);
  const days = daysBefore(day, since);
  const jobs = samePlaceLastMonth(day)
    .filter((one) => one >= since)
    .flatMap((one) => {
      const sameWeekday = days.filter((other) => (one - other) % (7 * DAY_MS) === 0);
      return times.map((time) =>
        cost(grain, one + time).minus(median(sameWeekday.map((other) => cost(grain, other + time)))),
      );
    });
  return jobs.reduce((most, one) => (one.gt(most) ? one : most), ZERO);
};
