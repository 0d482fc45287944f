import * as z from 'zod';
import { ReportedSaving, SAVING_CALLS_MINIMUM, SAVINGS_DAYS_MAXIMUM } from '../../insight/savings.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';
import { reportRange } from './reportRange.ts';
import { AS_USAGE, PAGES, reportFilters, reportMembers } from './reports.ts';

const SavingsQuery = z.strictObject({
  ...reportRange,
  ...reportFilters,
  dismissed: z.enum(['exclude', 'include', 'only']).optional().meta({
    description:
      'Suggestions that were dismissed and have not grown since: without them, with them, or only they. Default: exclude',
  }),
  cursor: Cursor.optional(),
  limit: PageLimit.optional(),
});
export type SavingsQuery = z.infer<typeof SavingsQuery>;

export const getSavingsReport = route({
  method: 'GET',
  path: '/v1/reports/savings',
  operation: 'getSavingsReport',
  limits: { period_days: SAVINGS_DAYS_MAXIMUM },
  authority: {
    effect: 'none',
    reveals: [],
    withholds: ['read:attribution'],
    internal: ['admin:config'],
    lanes: 'own',
  },
  unit: 'reports',
  summary: 'Suggest savings, with the calls and figures they rest on',
  description: `The largest first. Amounts are for 30 days, from sums with at least ${SAVING_CALLS_MINIMUM} calls, at the prices of your contracts or of the list, in the proportion that was paid. Prices of contracts need read:attribution. They overlap, so there is no total. A dismissed suggestion is left out until it has grown (has_grown). At most ${SAVINGS_DAYS_MAXIMUM} days. Idle nodes need read:attribution, and no residency lane. ${PAGES}\n\n${AS_USAGE}`,
  access: 'read:reporting',
  discloses: 'cohorts_or_records',
  rate: 'read',
  needs: [
    'rollups.read',
    'progress.read',
    'prices.read',
    'tenants.read',
    'cursor.derive',
    'results.page',
    'nodeHours.read',
    'savingDismissals.read',
  ],
  query: SavingsQuery,
  replies: {
    200: {
      description: 'A page of suggestions',
      body: pageOf(ReportedSaving, 'SavingsReport')
        .extend({
          ...reportMembers,
          dismissed_suggestions: z.int().meta({
            description: 'How many suggestions with these filters are dismissed and have not grown',
          }),
        })
        .meta({ id: 'SavingsReport' }),
    },
  },
});
