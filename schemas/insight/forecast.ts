import * as z from 'zod';
import { Total } from '../ledger/rollup.ts';
import { rowHeader, Sum, unknownNote } from './reports.ts';

/** A forecast of the cost of a period at its end. */
export const forecastMembers = {
  forecast_usd: Total.nullable().meta({
    id: 'ForecastUsd',
    description:
      'Expected cost of the whole period: the cost so far, and for each later day the mean of its weekday in the last 28 days, raised by the growth a week of the last eight weeks. With less data, or mostly idle days: the mean of all days. Null before three whole days of data, and if the cost so far is null',
  }),
  forecast_range_usd: z.object({ low: Total, high: Total }).nullable().meta({
    id: 'ForecastRange',
    description: 'Holds about nine of ten outcomes. Null without a forecast',
  }),
};

const forecastSums = {
  spent_usd: Sum.meta({ description: `Cost of the period so far. ${unknownNote}` }),
  ...forecastMembers,
  unpriced_invocations: z.int().meta({
    description: 'Calls of the period whose cost is unknown. No amount includes them',
  }),
};
export const ForecastTotals = z.object(forecastSums).meta({ id: 'ForecastTotals' });
export type ForecastTotals = z.infer<typeof ForecastTotals>;
export const ForecastRow = z
  .object(rowHeader)
  .omit({ day: true, hour: true, interval_start: true })
  .extend(forecastSums)
  .meta({ id: 'ForecastRow' });
export type ForecastRow = z.infer<typeof ForecastRow>;
