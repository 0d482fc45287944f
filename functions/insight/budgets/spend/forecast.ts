import type { ForecastMembers } from '../../../../schemas/insight/forecast.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { forecastPeriod } from '../../trends/periodForecast.ts';
import type { SpendByDay } from './spend.ts';

/** The {@link forecastPeriod | forecast} of a budget. `days` hold its period and the days that a forecast uses. */
export const forecast = (days: SpendByDay, period: Interval, now: number): ForecastMembers =>
  forecastPeriod(
    [...days].map(([at, spend]) => ({ at, ...spend })),
    period,
    now,
  );
