import { BUSINESS_METRICS_MAXIMUM } from '../../../schemas/insight/businessMetrics.ts';
import { tenantResource } from '../../identity/audit/tenantResource.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { requireResidency } from '../../platform/tenancy/residency.ts';
import { type MetricStore, StoredMetric, toMetric } from './metric.store.ts';

export const metricResource = (metrics: MetricStore) =>
  tenantResource(
    {
      shape: StoredMetric,
      name: 'business metric',
      idPrefix: 'bmt',
      maximum: BUSINESS_METRICS_MAXIMUM,
      requireVisible: (caller, found) => {
        if (found === null) throw new ProblemError('NOT_FOUND', 'There is no business metric with this id.');
        requireResidency(found, caller);
        return found;
      },
      // The entry has the time and the actor. Numbers of 800 days do not fit into it.
      configuration: (metric) => {
        const { updated_at: _at, updated_by: _by, ...configuration } = toMetric(metric);
        return configuration;
      },
    },
    metrics,
  );
