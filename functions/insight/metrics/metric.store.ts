import * as z from 'zod';
import { BUSINESS_METRICS_MAXIMUM, BusinessMetric } from '../../../schemas/insight/businessMetrics.ts';
import {
  type Count,
  type CountedCollection,
  countedCollection,
  headWithCount,
} from '../../platform/shared/aws/countedCollection.store.ts';

/** A metric with its numbers by day. */
export const StoredMetric = BusinessMetric.omit({ days: true, first_day: true, last_day: true }).extend({
  numbers: z.record(z.string(), z.string()),
});
export type StoredMetric = z.infer<typeof StoredMetric>;

export type MetricStore = CountedCollection<StoredMetric, Count>;

export const metricStore = (table: string): MetricStore =>
  countedCollection(table, { prefix: 'metric', name: 'metrics', shape: StoredMetric, ...headWithCount });

export interface MetricReader {
  /** All of a tenant, in the order of their ids. */
  readonly list: (tenantId: string) => Promise<StoredMetric[]>;
}

export const metricReader = (table: string): MetricReader => ({
  list: (tenantId) =>
    metricStore(table).list(tenantId, { descending: true, limit: BUSINESS_METRICS_MAXIMUM }),
});

/** The API representation of a metric. */
export const toMetric = ({ numbers, ...metric }: StoredMetric): BusinessMetric => {
  const days = Object.keys(numbers).toSorted();
  return { ...metric, days: days.length, first_day: days.at(0) ?? null, last_day: days.at(-1) ?? null };
};
