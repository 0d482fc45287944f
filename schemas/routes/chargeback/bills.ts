import * as z from 'zod';
import { BillDelivery, DELIVERY_DAYS_MAXIMUM, DeclaredDelivery } from '../../chargeback/billDeliveries.ts';
import { ExchangeRates, RATE_DAYS_MAXIMUM } from '../../chargeback/exchangeRates.ts';
import { BILL_ROWS_MAXIMUM, BILLED_FRACTION_DIGITS, BillRow } from '../../chargeback/reconciliation.ts';
import { FieldError } from '../../fieldError.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

const BILLS_BYTES_MAXIMUM = 5 * 1_024 * 1_024;
/** Rejected rows that a response lists. */
export const REJECTED_MAXIMUM = 100;

const LANE = 'A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED.';

/** A body of rows, read as `row`. A misspelt `delivery` or `complete` is refused: without it, rows count as something else. */
const billsOf = <Row extends z.ZodType>(row: Row) =>
  z
    .strictObject({
      delivery: DeclaredDelivery.optional().meta({ description: 'Without it, the rows are merged' }),
      complete: z.boolean().optional().meta({
        description: 'Ends the delivery. Default: false',
      }),
      atomic: z.boolean().optional().meta({
        description: 'true: one row that cannot be read refuses all with VALIDATION_FAILED. Default: false',
      }),
      exchange_rates: ExchangeRates.optional().meta({
        description: `Needed for rows in another currency than USD that state no rate. A row takes the rates of its first day, or the newest of the ${RATE_DAYS_MAXIMUM} days before`,
      }),
      rows: z.array(row).max(BILL_ROWS_MAXIMUM),
    })
    .superRefine(({ delivery, complete = false, rows }, issues) => {
      const addIssue = (path: string, message: string) =>
        issues.addIssue({ code: 'custom', path: [path], message });
      if (complete && delivery === undefined) addIssue('complete', 'only a delivery can be complete');
      if (rows.length === 0 && !complete) addIssue('rows', 'only the end of a delivery can have no rows');
    });

const Bills = billsOf(BillRow).meta({
  id: 'Bills',
  example: {
    delivery: { id: 'openai-bill-1', provider: 'OpenAI', from: '2026-03-01', to: '2026-03-08' },
    complete: true,
    rows: [BillRow.meta()?.['example']],
  },
});

const BillsImported = z
  .object({
    rows: z.int().meta({ description: 'Stored rows' }),
    rejected_rows: z.int().meta({ description: 'Rows that could not be read' }),
    rejected: z.array(z.object({ index: z.int(), errors: z.array(FieldError) })).meta({
      description: `The first ${REJECTED_MAXIMUM} of them, by their index from 0`,
    }),
    rounded_rows: z.int().meta({
      description: `Rows whose cost was rounded to ${BILLED_FRACTION_DIGITS} fractional digits`,
    }),
    from: z.iso.date(),
    to: z.iso.date().meta({ description: 'Exclusive' }),
    billed_usd: z.string().meta({ description: 'Usage costs of these rows' }),
    as_of: z.iso.datetime(),
    delivery: BillDelivery,
  })
  .meta({ id: 'BillsImported' });

export const postBills = route({
  method: 'POST',
  path: '/api/v1/reconciliation/bills',
  operation: 'postBills',
  limits: { period_days: DELIVERY_DAYS_MAXIMUM },
  authority: { effect: 'attribution', reveals: [], internal: ['read:reporting'], lanes: 'all' },
  unit: 'signals',
  summary: `Import up to ${BILL_ROWS_MAXIMUM} rows of provider bills`,
  description: `Rows have FOCUS columns, or those of an export of OpenAI, Anthropic, OpenRouter, DeepSeek, Azure, Google or CUR 2.0. Other columns are ignored, and an empty cell is null. With a delivery, all requests with its id make one, and complete ends it. From then on it is the bill of its provider, billing accounts and days; charges that it lacks are gone. CONFLICT for other rows of a complete delivery, and for another scope. Without a delivery, the rows replace earlier rows of the same purchase (provider, account, charge period, SKU, meter, model, resource, price, region, category), whatever their invoice, text or tags. Equal rows of one request are added. A row in another currency than USD takes its rate from exchange_rates, or from itself, or it is rejected. Usage must be within one UTC day, and charges begin on a day of the delivery; a correction of earlier days counts on the first. ${LANE}`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['bills.write'],
  // Each row is read by itself.
  body: { kind: 'json', schema: Bills, accepts: billsOf(z.unknown()), maxBytes: BILLS_BYTES_MAXIMUM },
  audit: 'bills.import',
  refuses: ['VALIDATION_FAILED', 'CONFLICT', 'RESIDENCY_BLOCKED'],
  replies: { 200: { description: 'The rows are stored', body: BillsImported } },
});

export const listBills = route({
  method: 'GET',
  path: '/api/v1/reconciliation/bills',
  operation: 'listBills',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  unit: 'reconciliation',
  summary: 'List deliveries of bills, newest billed day first',
  description: `Rows that were sent without a delivery have an entry too. A bill source has one for each account and day, which a restatement replaces. ${LANE}`,
  access: 'read:reporting',
  discloses: 'none',
  rate: 'read',
  needs: ['bills.read', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  refuses: ['RESIDENCY_BLOCKED'],
  replies: { 200: { description: 'A page of deliveries', body: pageOf(BillDelivery, 'BillDeliveryPage') } },
});

export const deleteBill = route({
  method: 'DELETE',
  path: '/api/v1/reconciliation/bills/{delivery_id}',
  operation: 'deleteBill',
  authority: { effect: 'attribution', reveals: [], internal: ['read:reporting'], lanes: 'all' },
  unit: 'reconciliation',
  summary: 'Take back a delivery of bills',
  description: `The delivery before it counts again, and its id is free. A day of a bill source stays away until the provider restates it. ${LANE}`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['bills.read', 'bills.write'],
  audit: 'bills.delete',
  refuses: ['NOT_FOUND', 'RESIDENCY_BLOCKED'],
  replies: { 204: { description: 'The delivery is taken back' } },
});
