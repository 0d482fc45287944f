import * as z from 'zod';
import { Total } from '../ledger/rollup.ts';
import { AnswerStates, rowHeader, Sum, unknownNote } from './reports.ts';

/** Why a forecast is unknown. */
const ForecastUnknown = z.enum(['unpriced_calls', 'too_few_days']).meta({
  id: 'ForecastUnknown',
  description:
    'unpriced_calls: no call of the period so far, or of a recent day, has a known price. Only the days after the last such day are used. too_few_days: fewer than three whole days with calls are known',
});

const ForecastRange = z.object({ low: Total, high: Total });
export type ForecastRange = z.infer<typeof ForecastRange>;

/** A forecast of the cost of a period at its end. */
export const forecastMembers = {
  forecast_usd: Total.nullable().meta({
    id: 'ForecastUsd',
    description:
      'Expected cost of the whole period: the cost so far, and for each later day the mean of its weekday in the last 28 days, raised by the growth a week of the last eight weeks. With less data, or mostly idle days: the mean of all days. Null if it is unknown. An unknown price is never taken as 0',
  }),
  forecast_range_usd: ForecastRange.nullable().meta({
    id: 'ForecastRange',
    description: 'Holds about nine of ten outcomes. Null without a forecast',
  }),
  forecast_unknown: ForecastUnknown.nullable().meta({
    id: 'ForecastUnknownReason',
    description: 'Why there is no forecast. Null with a forecast, and where figures are hidden',
  }),
};
const ForecastMembers = z.object(forecastMembers);
export type ForecastMembers = z.infer<typeof ForecastMembers>;

const forecastSums = {
  spent_usd: Sum.meta({
    description: `Cost of the period so far. ${unknownNote} or hidden`,
  }),
  spent_usd_maximum: Sum.meta({ description: 'With hidden calls' }),
  owner_states: AnswerStates,
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
