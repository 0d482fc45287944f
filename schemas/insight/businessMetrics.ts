import * as z from 'zod';
import { DecimalString, IsoDate, label } from '../values.ts';

/** Most metrics of a tenant: names, each for the whole tenant, an owner or a service. */
export const BUSINESS_METRICS_MAXIMUM = 50;
/** Most days of a metric that have a number, so that they are one item. */
export const METRIC_DAYS_MAXIMUM = 800;

const Scope = label(256).nullable();
/** What a metric counts, and whose cost it divides. */
export const metricMembers = {
  name: label(64).meta({ description: 'What is counted', example: 'tickets_solved' }),
  owner: Scope.meta({ description: 'Only the cost of its calls. Null: of all owners' }),
  service: Scope.meta({ description: 'Only the cost of its calls. Null: of all services' }),
};

export const MetricNumber = z
  .strictObject({
    date: IsoDate.meta({ description: 'A day in the time zone of the tenant' }),
    value: DecimalString.nullable().meta({ description: 'Null removes the number of the day' }),
  })
  .meta({ id: 'MetricNumber' });

export const BusinessMetricRequest = z
  .strictObject({
    name: metricMembers.name,
    owner: metricMembers.owner.optional(),
    service: metricMembers.service.optional(),
    numbers: z.array(MetricNumber).min(1).max(METRIC_DAYS_MAXIMUM),
  })
  .refine(({ numbers }) => new Set(numbers.map(({ date }) => date)).size === numbers.length, {
    message: 'must name each day once',
    path: ['numbers'],
  })
  .meta({
    id: 'BusinessMetricRequest',
    example: {
      name: 'tickets_solved',
      service: 'support-copilot',
      numbers: [
        { date: '2026-11-01', value: '412' },
        { date: '2026-11-02', value: '388' },
      ],
    },
  });

export const BusinessMetric = z
  .object({
    id: z.string(),
    ...metricMembers,
    days: z.int().meta({ description: 'How many days have a number' }),
    first_day: z.iso.date().nullable(),
    last_day: z.iso.date().nullable(),
    residency: z.string().nullable().meta({ description: 'The lane whose calls it divides. Null: all' }),
    updated_at: z.iso.datetime(),
    updated_by: z.string(),
  })
  .meta({ id: 'BusinessMetric' });
export type BusinessMetric = z.infer<typeof BusinessMetric>;
