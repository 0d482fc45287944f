import * as z from 'zod';
import { MetricCost } from '../../insight/metricCosts.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { label } from '../../values.ts';
import { route } from '../route.ts';
import { reportRange } from './reportRange.ts';
import { PAGES, reportMembers } from './reports.ts';

const MetricCostsQuery = z.strictObject({
  ...reportRange,
  name: label(64).optional().meta({ description: 'Only metrics of this name' }),
  interval: z
    .enum(['day', 'month'])
    .optional()
    .meta({ description: 'One row for each. Default: one row for the range' }),
  cursor: Cursor.optional(),
  limit: PageLimit.optional(),
});
export type MetricCostsQuery = z.infer<typeof MetricCostsQuery>;

export const getMetricCosts = route({
  method: 'GET',
  path: '/v1/reports/metric-costs',
  operation: 'getMetricCosts',
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'reports',
  summary: 'Report the cost of a unit of each business metric',
  description: `The cost that the usage report by day shows for the owner and service of a metric, on the days that have a number, divided by the sum of the numbers. Only whole days that have ended count. In order of names. A credential bound to a residency lane sees the metrics of that lane, any other one those of no lane. ${PAGES}`,
  access: 'read:reporting',
  discloses: 'cohorts',
  rate: 'read',
  needs: ['rollups.read', 'progress.read', 'cursor.derive', 'results.page', 'businessMetrics.read'],
  query: MetricCostsQuery,
  replies: {
    200: {
      description: 'A page of metrics with what a unit costs',
      body: pageOf(MetricCost, 'MetricCosts')
        .extend({
          period: reportMembers.period,
          time_zone: reportMembers.time_zone,
          as_of: reportMembers.as_of,
          stale: reportMembers.stale,
        })
        .meta({ id: 'MetricCosts' }),
    },
  },
});
