import type { Interval } from '../../platform/shared/time/interval.ts';
import { forecastPeriod, type PeriodForecast } from '../trends/periodForecast.ts';
import type { SpendByDay } from './spend.ts';

/** The {@link forecastPeriod | forecast} of a budget. `days` hold its period and the days that a forecast uses. */
export const forecast = (days: SpendByDay, period: Interval, now: number): PeriodForecast | null =>
  forecastPeriod(
    [...days].map(([at, { spent }]) => [at, spent] as const),
    period,
    now,
  );
