import * as z from 'zod';
import { BILL_ROWS_MAXIMUM, BillRow, ReconciliationRow, ReconciliationTotals } from '../reconciliation.ts';
import { COHORT_MINIMUM } from '../reports.ts';
import { Timestamp } from '../values.ts';
import { route } from './route.ts';

export const RECONCILED_DAYS_MAXIMUM = 92;
/** Each takes some 600 bytes of an answer, which holds 6 MB. */
export const RECONCILED_ROWS_MAXIMUM = 5_000;
const BILLS_BYTES_MAXIMUM = 5 * 1_024 * 1_024;

const Bills = z.object({ rows: z.array(BillRow).min(1).max(BILL_ROWS_MAXIMUM) }).meta({ id: 'Bills' });

const BillsImported = z
  .object({
    rows: z.int(),
    from: z.iso.date(),
    to: z.iso.date().meta({ description: 'Excluded' }),
    billed_usd: z
      .string()
      .meta({ description: 'Sum of the usage in these rows, whether new or sent before' }),
    as_of: z.iso.datetime(),
  })
  .meta({ id: 'BillsImported' });

export const postBills = route({
  method: 'POST',
  path: '/api/v1/reconciliation/bills',
  operation: 'postBills',
  effect: 'attribution',
  unit: 'signals',
  summary: `Bring in up to ${BILL_ROWS_MAXIMUM} rows of providers’ bills`,
  description:
    'Rows in FOCUS columns; others than those listed are ignored. Any bad row refuses them all and is pointed at. A row is known again by all of its columns but costs and quantities: sent again it replaces what it said before, and is never added twice. Two rows of one call that are alike are refused: give them x_RowId or InvoiceDetailId. USD only. A charge must lie within one day of UTC.',
  access: 'admin:config',
  rate: 'write',
  needs: ['bills.write'],
  body: { kind: 'json', schema: Bills, maxBytes: BILLS_BYTES_MAXIMUM },
  audit: 'bills.import',
  refuses: ['VALIDATION_FAILED', 'RESIDENCY_BLOCKED'],
  replies: { 200: { description: 'The rows are kept', body: BillsImported } },
});

const Day = z
  .union([z.iso.date(), Timestamp])
  .refine((text) => Date.parse(text) % (24 * 60 * 60 * 1_000) === 0, 'must be the beginning of a day of UTC');

const groupings = ['provider', 'model', 'day'] as const;
export type Grouping = (typeof groupings)[number];

const GroupBy = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(groupings)))
  .refine((names) => new Set(names).size === names.length);

export const ReconciliationQuery = z.strictObject({
  from: Day.optional().meta({ description: 'A day of UTC; 30 days before to where left out' }),
  to: Day.optional().meta({ description: 'Excluded; default: the end of today' }),
  group_by: GroupBy.optional().meta({
    description: 'Comma list of provider, model and day; default provider,model',
    example: 'provider,day',
  }),
});

const Reconciliation = z
  .object({
    data: z.array(ReconciliationRow),
    period: z.object({
      from: z.iso.date(),
      to: z.iso.date().meta({ description: 'Excluded' }),
      exact: z.boolean().meta({
        description:
          'False where the period begins or ends within a month in which records of too few persons were counted on another day, together with the charges of their models and days, so that some may have come in or fallen out',
      }),
    }),
    totals: ReconciliationTotals,
    as_of: z.object({
      attributed: z.iso
        .datetime()
        .nullable()
        .meta({ description: 'When the newest of the sums of these months was computed' }),
      billed: z.iso.datetime().nullable().meta({ description: 'When the newest rows of a bill came' }),
      billed_until: z.iso.datetime().nullable().meta({ description: 'End of the newest charge of any bill' }),
    }),
    stale: z.boolean().meta({
      description: 'No bill reaches to within 24 hours of now: the newest days cannot be compared yet',
    }),
  })
  .meta({ id: 'Reconciliation' });

export const getReconciliation = route({
  method: 'GET',
  path: '/api/v1/reconciliation',
  operation: 'getReconciliation',
  unit: 'coverage',
  summary: 'Compare what was attributed with what was billed',
  description: `Per day of UTC and model, summed by group, exactly; at most ${RECONCILED_DAYS_MAXIMUM} days and ${RECONCILED_ROWS_MAXIMUM} rows, all in one answer. Providers and models are brought to one spelling on both sides (gpt-4o-2024-08-06 is gpt-4o). Suppression (k=${COHORT_MINIMUM}): what is recorded is shown in the same indivisible groups as in the usage report, for every caller. Where such a group spans several models, providers or days, their records and their charges are compared as one, in rows of kind folded, on the last day on which the report counts one of them. No difference is shown where one side is incomplete. Bills know no data-residency lanes: a credential that is bound to one is refused.`,
  access: 'read:reporting',
  rate: 'read',
  needs: ['bills.read', 'rollups.read'],
  query: ReconciliationQuery,
  refuses: ['RESIDENCY_BLOCKED'],
  replies: { 200: { description: 'The comparison', body: Reconciliation } },
});
