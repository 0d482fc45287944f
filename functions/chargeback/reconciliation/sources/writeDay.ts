import { commit, type Revision } from '../../../platform/shared/aws/document.store.ts';
import { CONFLICT, retryOnConflict } from '../../../platform/shared/retry/retryOnConflict.ts';
import type { BillReader, BillWriter } from '../bill.store.ts';
import type { KeyedRow } from '../bill.ts';
import type { BillImportWriter } from '../imports/billImport.store.ts';
import { recordSourceDay, type SourceDay } from '../imports/recordSourceDay.ts';
import { mergeBillRows } from '../mergeBillRows.ts';
import { changesOfDay, type ReportedScope } from './dayChanges.ts';

/** Writers of the watermark of a tenant: the imports of its sources, and calls that send bills. */
const MAX_ATTEMPTS = 30;

/** Moves the watermark of a tenant forward to the end of its newest charge, and to the arrival of its newest rows. */
const advanceWatermark = (
  bills: BillWriter,
  tenantId: string,
  newest: { readonly until: number; readonly at: number | null },
  by: Revision,
): Promise<void> =>
  retryOnConflict<undefined>(
    async () => {
      const stored = await bills.watermark(tenantId);
      const head = stored?.document ?? { until: newest.until, at: newest.at ?? 0 };
      const next = {
        until: Math.max(head.until, newest.until),
        at: Math.max(head.at, newest.at ?? 0),
      };
      if (stored !== null && next.until === head.until && next.at === head.at) return undefined;
      const expectedRevision = stored?.revision ?? null;
      return (await commit([bills.putWatermark(tenantId, next, { expectedRevision, by })]))
        ? undefined
        : CONFLICT;
    },
    { maxAttempts: MAX_ATTEMPTS, subject: 'the watermark of bills' },
  );

/**
 * Writes the report of a day. Idempotent: a repetition after a crash writes what is missing, and nothing twice. `at` is
 * when the report was requested, in epoch milliseconds. Throws VALIDATION_FAILED when a model has too many rows.
 */
export const writeDay = async (
  {
    bills,
    billWriter,
    billImportWriter,
  }: {
    readonly bills: Pick<BillReader, 'days'>;
    readonly billWriter: BillWriter;
    readonly billImportWriter: BillImportWriter;
  },
  tenantId: string,
  report: SourceDay & ReportedScope,
  rows: readonly KeyedRow[],
  by: Revision,
): Promise<void> => {
  const stored = await bills.days(tenantId, [report.day]);
  const changes = changesOfDay(stored, rows, report);
  await mergeBillRows(billWriter, tenantId, changes, by);
  await recordSourceDay(billImportWriter, tenantId, report, rows);
  const [newest] = [...rows, ...changes].sort((one, other) => other.row.end - one.row.end);
  if (newest === undefined) return;
  // Also without changes: an earlier run may have stopped between the rows and the watermark.
  const at = changes.length === 0 ? null : report.at;
  await advanceWatermark(billWriter, tenantId, { until: newest.row.end, at }, by);
};
