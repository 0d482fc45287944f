import * as z from 'zod';
import { cohortFields } from '../../insight/reports.ts';
import { UnitCostRow, UnitCosts } from '../../insight/unitCosts.ts';
import { pageOf } from '../../page.ts';
import { route } from '../route.ts';
import { AS_USAGE, groupByOf, PAGES, REPORT_LIMITS, reportMembers, reportQuery } from './reports.ts';

const UnitCostsQuery = z.strictObject({ ...reportQuery, group_by: groupByOf(cohortFields).optional() });

export const getUnitCostsReport = route({
  method: 'GET',
  path: '/v1/reports/unit-costs',
  operation: 'getUnitCostsReport',
  limits: REPORT_LIMITS,
  authority: {
    effect: 'none',
    reveals: [],
    withholds: ['read:attribution'],
    internal: ['admin:config'],
    lanes: 'own',
  },
  unit: 'reports',
  summary: 'Report the cost of a call, a token of each kind and a person, by group and time',
  description: `Costs are those of the usage report, and sum exactly to \`totals\`. Ratios are rounded to twelve digits. ${PAGES}\n\n${AS_USAGE}`,
  access: 'read:reporting',
  discloses: 'cohorts_or_records',
  rate: 'read',
  needs: ['rollups.read', 'progress.read', 'prices.read', 'tenants.read', 'cursor.derive', 'results.page'],
  query: UnitCostsQuery,
  replies: {
    200: {
      description: 'A page of rows in order of time and names, with the figures of all calls',
      body: pageOf(UnitCostRow, 'UnitCostsReport')
        .extend({ totals: UnitCosts, ...reportMembers })
        .meta({ id: 'UnitCostsReport' }),
    },
  },
});
