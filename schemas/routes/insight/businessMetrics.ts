import * as z from 'zod';
import {
  BUSINESS_METRICS_MAXIMUM,
  BusinessMetric,
  BusinessMetricRequest,
  METRIC_DAYS_MAXIMUM,
} from '../../insight/businessMetrics.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

const LANE = 'A credential bound to a residency lane sees and sends the metrics of that lane only.';

export const postBusinessMetric = route({
  method: 'POST',
  path: '/api/v1/business-metrics',
  operation: 'postBusinessMetric',
  limits: { resources: BUSINESS_METRICS_MAXIMUM, days: METRIC_DAYS_MAXIMUM },
  authority: { effect: 'settings', reveals: ['read:reporting'], lanes: 'own' },
  unit: 'budgets',
  summary: 'Send the daily numbers of a business metric',
  description: `Such as tickets solved, for the whole tenant, an owner or a service. The number of a day replaces an earlier one; other days stay. Name, owner and service make the metric, and its id. A tenant can have ${BUSINESS_METRICS_MAXIMUM} metrics, each with ${METRIC_DAYS_MAXIMUM} days; beyond that the response is VALIDATION_FAILED. ${LANE}`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['businessMetrics.write'],
  body: { kind: 'json', schema: BusinessMetricRequest, maxBytes: 131_072 },
  audit: 'business_metric.write',
  replies: { 200: { description: 'The metric', body: BusinessMetric } },
});

export const listBusinessMetrics = route({
  method: 'GET',
  path: '/api/v1/business-metrics',
  operation: 'listBusinessMetrics',
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'budgets',
  summary: 'List business metrics',
  description: `In the order of their ids. ${LANE}`,
  access: 'read:reporting',
  discloses: 'none',
  rate: 'read',
  needs: ['businessMetrics.read', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: { 200: { description: 'A page of metrics', body: pageOf(BusinessMetric, 'BusinessMetricPage') } },
});

export const deleteBusinessMetric = route({
  method: 'DELETE',
  path: '/api/v1/business-metrics/{id}',
  operation: 'deleteBusinessMetric',
  authority: { effect: 'deletion', reveals: ['read:reporting'], lanes: 'own' },
  unit: 'budgets',
  summary: 'Delete a business metric with its numbers',
  description: `Records and reports stay as they are. ${LANE}`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['businessMetrics.write'],
  ids: { id: 'bmt' },
  audit: 'business_metric.delete',
  replies: { 204: { description: 'It is deleted' } },
});

export const businessMetricRoutes = [postBusinessMetric, listBusinessMetrics, deleteBusinessMetric] as const;
