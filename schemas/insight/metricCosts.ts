import * as z from 'zod';
import { metricMembers } from './businessMetrics.ts';
import { Sum } from './reports.ts';

export const MetricCost = z
  .object({
    metric_id: z.string(),
    ...metricMembers,
    interval_start: z.iso
      .datetime()
      .optional()
      .meta({ description: 'Start of the day or month. Present if `interval` is given' }),
    units: Sum.meta({ description: 'The sum of the numbers. Null: no day has one' }),
    days: z.int().meta({ description: 'Days that have a number. Cost is that of these days only' }),
    days_without_number: z.int().meta({ description: 'They count neither as 0 nor with their cost' }),
    invocations: z.int(),
    invocations_maximum: z
      .int()
      .meta({ description: 'With hidden calls that can be of the owner or service' }),
    unpriced_invocations: z.int().meta({ description: 'Shown calls of unknown cost, in no amount' }),
    cost_usd: Sum.meta({ description: 'Null: unknown, or no day has a number' }),
    cost_per_unit_usd: Sum.meta({
      description:
        'Of calls whose cost is known, rounded to twelve digits. Null: the cost is unknown, or there are no units',
    }),
    cost_per_unit_range_usd: z
      .object({
        low: Sum,
        high: Sum.meta({ description: 'Null: unknown, because calls have no known cost' }),
      })
      .nullable()
      .meta({
        id: 'MetricCostRange',
        description:
          'With the ranges of prices, and from none to all hidden calls. Null: as cost_per_unit_usd',
      }),
  })
  .meta({ id: 'MetricCost' });
export type MetricCost = z.infer<typeof MetricCost>;
