import * as z from 'zod';
import { DAY_MS } from '../../../schemas/durations.ts';
import type { FieldError } from '../../../schemas/problems.ts';
import { postBills } from '../../../schemas/routes/chargeback/reconciliation.ts';
import { changeOnce } from '../../identity/audit/changeOnce.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { type KeyedRow, sumOf, toKeyedRow } from './bill.ts';
import { importsOf } from './imports/billImport.ts';
import { mergeBillRows } from './mergeBillRows.ts';

const ERRORS_MAXIMUM = 100;
/** Errors for rows with the same key as an earlier row of the call. It is not known which of the two amounts is meant. */
const findDuplicateRows = (rows: readonly KeyedRow[]): FieldError[] => {
  const seen = new Set<string>();
  return rows.flatMap(({ rowKey }, index) => {
    const isRepeated = seen.has(rowKey);
    seen.add(rowKey);
    return isRepeated
      ? {
          pointer: `/rows/${index}`,
          detail: 'duplicates an earlier row. Set x_RowId or InvoiceDetailId on both.',
        }
      : [];
  });
};

export default operation(postBills, async (call) => {
  const { body, caller, claim, receivedAt, stores } = call;
  const { tenant_id: tenantId } = caller.tenant;
  const rows = body.rows.map((row) => toKeyedRow(row, receivedAt));
  const days = rows.map(({ day }) => day).sort();

  await changeOnce(call, z.null(), async () => {
    const errors = findDuplicateRows(rows).slice(0, ERRORS_MAXIMUM);
    if (errors.length > 0) throw new ProblemError('VALIDATION_FAILED', 'Duplicate rows.', { errors });
    const imports = importsOf(
      rows.map((keyedRow, index) => ({ keyedRow, account: body.rows[index]?.BillingAccountId ?? null })),
      deterministicUlid('bill import', claim.claim, receivedAt),
      { at: receivedAt, by: caller.principal, sourceId: null },
    );
    const until = Math.max(...rows.map(({ row }) => row.end));
    // More than a transaction takes. A row has the arrival of its call, so a retry replaces no later row.
    await mergeBillRows(stores.billWriter, tenantId, rows, claim);
    const head = await stores.billWriter.watermark(tenantId);
    return {
      writes: [
        stores.billWriter.putWatermark(
          tenantId,
          {
            until: Math.max(until, head?.document.until ?? until),
            at: Math.max(receivedAt, head?.document.at ?? 0),
          },
          { expectedRevision: head?.revision ?? null, by: claim },
        ),
        ...imports.map((entry) => stores.billImportWriter.put(tenantId, entry)),
      ],
      result: null,
      resource: tenantId,
      before: null,
      after: { imports },
    };
  });
  return reply(200, {
    rows: rows.length,
    from: days[0],
    to: new Date(Date.parse(days.at(-1) ?? '') + DAY_MS).toISOString().slice(0, 10),
    billed_usd: sumOf(rows.flatMap(({ row }) => (row.usage ? row.cost : []))),
    as_of: toIso(receivedAt),
  });
});
