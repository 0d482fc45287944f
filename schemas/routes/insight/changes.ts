import * as z from 'zod';
import {
  ChangeRow,
  ChangeTotals,
  ComparedPeriod,
  PRICE_CHANGES_MAXIMUM,
  PriceChange,
} from '../../insight/changes.ts';
import { cohortFields } from '../../insight/reports.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';
import { BOTH_ENDS, comparedRange, hasBothEnds, reportRange } from './reportRange.ts';
import { AS_USAGE, groupByOf, PAGES, reportFilters, reportMembers } from './reports.ts';

const ChangesQuery = z
  .strictObject({
    ...reportRange,
    ...comparedRange,
    ...reportFilters,
    group_by: groupByOf(cohortFields).optional(),
    cursor: Cursor.optional(),
    limit: PageLimit.optional(),
  })
  .refine(hasBothEnds, BOTH_ENDS);
export type ChangesQuery = z.infer<typeof ChangesQuery>;

export const getChangesReport = route({
  method: 'GET',
  path: '/v1/reports/changes',
  operation: 'getChangesReport',
  authority: {
    effect: 'none',
    reveals: [],
    withholds: ['read:attribution'],
    internal: ['admin:config'],
    lanes: 'own',
  },
  unit: 'reports',
  summary: 'Explain the change of cost between two periods, by group',
  description: `Rows come in order of the size of their change, and their changes sum exactly to that of \`totals\`. The parts of \`totals\` are those of all calls: what is volume in the rows of two groups can be mix in the whole. ${PAGES}\n\n${AS_USAGE}`,
  access: 'read:reporting',
  discloses: 'cohorts',
  rate: 'read',
  needs: ['rollups.read', 'progress.read', 'prices.read', 'tenants.read', 'cursor.derive', 'results.page'],
  query: ChangesQuery,
  replies: {
    200: {
      description: 'A page of rows, the largest changes first, with the change of all calls',
      body: pageOf(ChangeRow, 'ChangesReport')
        .extend({
          totals: ChangeTotals,
          previous: ComparedPeriod,
          price_changes: z.array(PriceChange).max(PRICE_CHANGES_MAXIMUM).meta({
            description:
              'When prices of the shown models changed, from the start of the period before to the end of this one: the newest first. Prices of contracts are among them for callers with read:attribution, and else those of the list',
          }),
          ...reportMembers,
        })
        .meta({ id: 'ChangesReport' }),
    },
  },
});
