import type { FieldError } from '../../schemas/problems.ts';
import { postBills } from '../../schemas/routes/reconciliation.ts';
import { auditEntry } from '../audit/entry.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import { change } from '../shared/change.ts';
import { orUnavailable, ProblemError } from '../shared/problem.ts';
import { type PlacedRow, placed, sumOf } from './bill.ts';
import { keepRows } from './keepRows.ts';
import { requireAllLanes } from './lane.ts';

const DAY = 24 * 60 * 60 * 1_000;
const ERRORS_MAXIMUM = 100;
/** Who wrote what is not there. */
const NOBODY = { claim: '', attempt: 0 };

/** Rows that another row of the same call is taken for: which of the two amounts is meant, nobody can tell. */
const repeats = (rows: readonly PlacedRow[]): FieldError[] => {
  const seen = new Set<string>();
  return rows.flatMap(({ name }, index) => {
    const isRepeated = seen.has(name);
    seen.add(name);
    return isRepeated
      ? { pointer: `/rows/${index}`, detail: 'is like a row before it: give both x_RowId or InvoiceDetailId' }
      : [];
  });
};

export default operation(postBills, async ({ body, caller, claim, receivedAt, occasion, stores }) => {
  requireAllLanes(caller);
  const { tenant_id: tenantId } = caller.tenant;
  const rows = body.rows.map((row) => placed(row, receivedAt));
  const errors = repeats(rows).slice(0, ERRORS_MAXIMUM);
  if (errors.length > 0) throw new ProblemError('VALIDATION_FAILED', 'Rows are alike.', { errors });
  const days = rows.map(({ day }) => day).sort();
  const until = Math.max(...rows.map(({ row }) => row.end));

  await orUnavailable(async () => {
    await keepRows(stores.billWriter, tenantId, rows, claim);
    await change(
      claim,
      async () => {
        const head = await stores.billWriter.head(tenantId);
        return { document: head?.document ?? null, revision: head?.revision ?? NOBODY };
      },
      ({ document: head, revision }, isRetry) =>
        isRetry
          ? null
          : [
              stores.billWriter.putHead(
                tenantId,
                { until: Math.max(until, head?.until ?? until), at: Math.max(receivedAt, head?.at ?? 0) },
                { seen: head === null ? null : revision, by: claim },
              ),
              stores.audit.append(tenantId, auditEntry(occasion, { resource: tenantId })),
            ],
    );
  });
  return reply(200, {
    rows: rows.length,
    from: days[0],
    to: new Date(Date.parse(days.at(-1) ?? '') + DAY).toISOString().slice(0, 10),
    billed_usd: sumOf(rows.flatMap(({ row }) => (row.usage ? row.cost : []))),
    as_of: new Date(receivedAt).toISOString(),
  });
});
