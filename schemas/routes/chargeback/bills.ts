import * as z from 'zod';
import { BillDelivery, DeclaredDelivery, OPEN_DAYS } from '../../chargeback/billDeliveries.ts';
import { BILL_ROWS_MAXIMUM, BILLED_FRACTION_DIGITS, BillRow } from '../../chargeback/reconciliation.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { FieldError } from '../../problems.ts';
import { route } from '../route.ts';

const BILLS_BYTES_MAXIMUM = 5 * 1_024 * 1_024;
/** Rejected rows that a response lists. */
export const REJECTED_MAXIMUM = 100;

const LANE = 'A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED.';

/** A body of rows, read as `row`. */
const billsOf = <Row extends z.ZodType>(row: Row) =>
  z
    .object({
      delivery: DeclaredDelivery.optional().meta({ description: 'Without it, the rows are merged' }),
      complete: z.boolean().optional().meta({
        description:
          'Ends the delivery with this request. From then on it is the bill of its scope. Default: false',
      }),
      atomic: z.boolean().optional().meta({
        description: 'true: one row that cannot be read refuses the request. Default: false',
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
    delivery: { id: 'openai-2026-03.1', provider: 'OpenAI', from: '2026-03-01', to: '2026-04-01' },
    complete: true,
    rows: [BillRow.meta()?.['example']],
  },
});

const BillsImported = z
  .object({
    rows: z.int().meta({ description: 'Rows of the request that are stored' }),
    rejected_rows: z
      .int()
      .meta({ description: 'Rows of the request that could not be read. They are not stored' }),
    rejected: z.array(z.object({ index: z.int(), errors: z.array(FieldError) })).meta({
      description: `The first ${REJECTED_MAXIMUM} of them: the index in rows, from 0, and each error`,
    }),
    rounded_rows: z.int().meta({
      description: `Rows whose cost has more than ${BILLED_FRACTION_DIGITS} fractional digits, and was rounded half to even`,
    }),
    from: z.iso.date().meta({ description: 'The first UTC day of the rows, or of the delivery' }),
    to: z.iso.date().meta({ description: 'Exclusive' }),
    billed_usd: z
      .string()
      .meta({ description: 'Sum of the usage costs in these rows, new and repeated rows included' }),
    as_of: z.iso.datetime(),
    delivery: BillDelivery.meta({ description: 'The delivery after the request' }),
  })
  .meta({ id: 'BillsImported' });

export const postBills = route({
  method: 'POST',
  path: '/api/v1/reconciliation/bills',
  operation: 'postBills',
  authority: { effect: 'attribution', reveals: [], internal: ['read:reporting'], lanes: 'all' },
  unit: 'signals',
  summary: `Import up to ${BILL_ROWS_MAXIMUM} rows of provider bills`,
  description: `Rows have FOCUS columns. Other columns are ignored, and an empty cell is null. With a delivery, the rows are a part of a bill: all requests with its id make one delivery, and complete ends it. From then on it is the bill of its provider, billing accounts and days, and charges that it does not contain are gone. An open delivery is not counted, and expires ${OPEN_DAYS} days after its last request. CONFLICT for other rows of a delivery that is complete, and for an id that has another scope. Without a delivery, the rows are merged: the rows of a purchase (provider, account, charge period, SKU, meter, model, resource, price, region and category) replace the earlier rows of the same purchase, and are never added to them. Invoice ids, descriptions, tags and the spelling of the provider do not matter. Equal rows of one request are added. A row that cannot be read is listed in rejected, and the others are stored; with atomic, or if no row can be read, the response is VALIDATION_FAILED. The currency must be USD. A charge period must be within one UTC day, and within the days of the delivery; a correction of earlier days counts on the first of them. ${LANE}`,
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
  description: `Each delivery has an entry, and so have the rows that were sent without one. A bill source has one entry for each account and day, which a restatement replaces. The amounts are those of the delivery, whether or not a later one replaces it. ${LANE}`,
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
  unit: 'signals',
  summary: 'Take back a delivery of bills',
  description: `Its rows do not count any more. The delivery before it counts again. Its id can be used for a new delivery. A day that was taken back from a bill source stays so until the provider restates it. ${LANE}`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['bills.read', 'bills.write'],
  audit: 'bills.delete',
  refuses: ['NOT_FOUND', 'RESIDENCY_BLOCKED'],
  replies: { 204: { description: 'The delivery is taken back' } },
});
