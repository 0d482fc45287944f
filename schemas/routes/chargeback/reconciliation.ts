import * as z from 'zod';
import { Day } from '../../chargeback/billDeliveries.ts';
import { PeriodStatuses } from '../../chargeback/periods.ts';
import { BillCoverage, ReconciliationRow, ReconciliationTotals } from '../../chargeback/reconciliation.ts';
import { SuggestedPrice } from '../../chargeback/suggestedPrices.ts';
import { listOf } from '../../filters.ts';
import { COHORT_MINIMUM } from '../../insight/reports.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { distinct } from '../../values.ts';
import { route } from '../route.ts';

export const RECONCILED_DAYS_MAXIMUM = 92;
const groupings = ['provider', 'model', 'day'] as const;
export type Grouping = (typeof groupings)[number];

const GroupBy = listOf(distinct(z.array(z.enum(groupings)), 'must name each field once'));

export const ReconciliationQuery = z.strictObject({
  cursor: Cursor.optional(),
  limit: PageLimit.optional(),
  from: Day.optional().meta({ description: 'A UTC day, inclusive. Default: 30 days before to' }),
  to: Day.optional().meta({ description: 'A UTC day, exclusive. Default: the end of today' }),
  group_by: GroupBy.optional().meta({
    description: 'As text: comma-separated. Default: provider,model',
    example: 'provider,day',
  }),
});

const Reconciliation = pageOf(ReconciliationRow, 'Reconciliation')
  .extend({
    period: z.object({
      from: z.iso.date(),
      to: z.iso.date().meta({ description: 'Exclusive' }),
      exact: z.boolean().meta({
        description:
          'False if the period starts or ends within a month in which suppression moved records, and the charges of their models and days, to another day. The period can then contain records and charges of neighbouring days, or lack some of its own',
      }),
    }),
    billing_periods: PeriodStatuses,
    totals: ReconciliationTotals,
    bill_coverage: z.array(BillCoverage).meta({
      description:
        'One for each provider with a bill source, bills in the months of the period, or recorded calls that a row can name. Of a day without a bill the recorded costs are in not_billed_usd; they are no saving',
    }),
    suggested_prices: z.array(SuggestedPrice).meta({
      description:
        'Contract prices that would make the recorded cost agree with the bills of the period, the largest difference first. There is one for each model whose bill names the tokens of every row, with one price for each kind in the whole period, and has exactly the recorded tokens of a day at another cost than recorded, beyond rounding. Charges of a tier, such as batch, and calls of suppressed groups suggest nothing. Records keep their cost until they are reprocessed, and a cost that a producer reported stays',
    }),
    as_of: z.object({
      attributed: z.iso.datetime().nullable().meta({
        description:
          'When the newest rollup of these months was computed. If a change of the records is not in them yet, the time of that change. Null without any, and if nothing is known about pending changes',
      }),
      billed: z.iso.datetime().nullable().meta({ description: 'When the newest bill rows were imported' }),
      billed_until: z.iso
        .datetime()
        .nullable()
        .meta({ description: 'End of the newest charge period of any bill' }),
    }),
    recorded_stale: z.boolean().meta({
      description:
        'Whether calls or changes from more than 90 seconds ago may be missing from the recorded costs',
    }),
    stale: z.boolean().meta({
      description: 'True if no bill covers the last 24 hours. The newest days cannot be compared yet',
    }),
  })
  .meta({ id: 'Reconciliation' });

export const getReconciliation = route({
  method: 'GET',
  path: '/api/v1/reconciliation',
  operation: 'getReconciliation',
  limits: { period_days: RECONCILED_DAYS_MAXIMUM },
  authority: { effect: 'none', reveals: [], withholds: ['admin:config'], lanes: 'all' },
  unit: 'reconciliation',
  summary: 'Compare attributed cost with provider bills',
  description: `Compares each UTC day and model and sums the results exactly by group. The comparison is computed for the first page. The other pages show the same result, for one hour, and every page has the totals of the whole period. Limit: ${RECONCILED_DAYS_MAXIMUM} days. Provider and model names are normalized on both sides (gpt-4o-2024-08-06 becomes gpt-4o). Suppression (k=${COHORT_MINIMUM}): recorded costs use the same cohorts as the usage report, for every caller. If a cohort spans several models, providers or days, their records and charges are compared together in rows of kind folded, on the last day on which the usage report counts one of them. No difference is shown if one side is incomplete. Bills have no residency lane. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED.`,
  access: 'read:reporting',
  discloses: 'cohorts',
  rate: 'read',
  needs: [
    'bills.read',
    'billSources.read',
    'rollups.read',
    'periods.read',
    'closings.read',
    'prices.read',
    'progress.read',
    'cursor.derive',
    'results.page',
    'tenants.read',
  ],
  query: ReconciliationQuery,
  refuses: ['RESIDENCY_BLOCKED'],
  replies: { 200: { description: 'A page of the comparison', body: Reconciliation } },
});
