import * as z from 'zod';
import type { ExportManifest } from '../../../../schemas/chargeback/exportManifest.ts';
import { EXPORT_FILES_MAXIMUM, type StoredExport } from '../../../../schemas/chargeback/exports.ts';
import { completeUntil } from '../../../ledger/freshness/totalsLag.ts';
import type { Outbox } from '../../../platform/outbox/outbox.store.ts';
import { commit } from '../../../platform/shared/aws/document.store.ts';
import { sumOf, toDecimalString } from '../../../platform/shared/decimal.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { mergeTotals } from '../aggregation/rowTotals.ts';
import type { FileStore, WorkStore } from '../files/file.store.ts';
import { buildMetadata } from '../files/focusMetadata.ts';
import { buildManifest } from '../files/manifest.ts';
import type { ExportStore } from '../job/export.store.ts';
import { ExportError } from '../job/exportError.ts';
import { exportFinishedEvent } from '../job/exportFinishedEvent.ts';
import { isHeldBy, markSucceeded } from '../job/job.ts';
import { objectKeys } from '../job/objectKeys.ts';
import { exportPeriodOf } from '../request/exportLimits.ts';
import { JSON_TYPE } from './contentTypes.ts';
import {
  ExecutionPlan,
  MergeResult,
  outputPlanOf,
  readWork,
  WrittenRange,
  writtenKey,
} from './workDocuments.ts';

export const FinishInput = z.object({ merge: z.string(), execution: z.string() });
type FinishInput = z.infer<typeof FinishInput>;

const resultOf = (
  manifest: ExportManifest,
  written: readonly z.infer<typeof WrittenRange>[],
): NonNullable<StoredExport['result']> => ({
  file_count: manifest.files.length,
  row_count: manifest.row_count,
  bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
  records: manifest.totals.records,
  cost_usd: manifest.totals.costs[0]?.contracted_cost ?? '0',
  excluded_records: manifest.excluded.reduce((sum, { records }) => sum + records, 0),
  excluded_cost_usd: toDecimalString(sumOf(manifest.excluded.map(({ cost_usd }) => cost_usd ?? '0'))),
  stale: manifest.stale,
  files: written.map(({ month, first, files }) => ({ month, first, count: files.length })),
});

/**
 * Writes the metadata and then the manifest, marks the export as succeeded and raises its event. Does nothing when the
 * execution no longer holds the export. Throws an ExportError when the rows do not sum to the ledger or when there are too
 * many files, and an Error when the export changed during the write.
 */
export const finish =
  (deps: {
    readonly exports: ExportStore;
    readonly outbox: Outbox;
    readonly work: WorkStore;
    readonly files: FileStore;
    readonly clock: Clock;
    readonly attempt: () => string;
    readonly baseUrl: string;
  }) =>
  async ({ merge: mergeKey, execution }: FinishInput): Promise<{ readonly finished: true }> => {
    const { exports, outbox, work, files, clock, attempt, baseUrl } = deps;
    const mergeResult = await readWork(work, mergeKey, MergeResult);
    const plan = await readWork(work, mergeResult.plan, ExecutionPlan);
    const { tenant, job } = plan;
    const name = { tenant_id: tenant.tenant_id, job_id: job.job_id };
    const current = await exports.find(name);
    if (current === null || !isHeldBy(current.document, execution)) return { finished: true };

    const written = [];
    for (const range of mergeResult.ranges.keys()) {
      written.push(await readWork(work, writtenKey(mergeKey, range), WrittenRange));
    }
    if (written.reduce((sum, { files: own }) => sum + own.length, 0) > EXPORT_FILES_MAXIMUM) {
      throw new ExportError('too_large', `The export has more than ${EXPORT_FILES_MAXIMUM} files.`);
    }
    const exportPlan = outputPlanOf(plan);
    const keys = objectKeys(name.tenant_id, name.job_id);
    const finishedAt = clock();
    const period = exportPeriodOf(job.request);
    // The start of the period claims nothing.
    const asOf = completeUntil(Date.parse(job.as_of), plan.lag, finishedAt) ?? period.from;
    const { isStale } = plan.lag;
    const manifest = buildManifest({
      exportId: job.job_id,
      request: job.request,
      plan: exportPlan,
      basis: job.basis,
      summary: mergeResult.summary,
      folded: mergeResult.folded,
      periods: plan.periods,
      totals: mergeTotals(written.map(({ totals }) => totals)),
      files: written.flatMap(({ month, first, files: own }) =>
        own.map((file, index) => ({
          key: keys.file(month, first + index, job.request.file_format),
          billing_period: month,
          ...file,
        })),
      ),
      asOf,
      isStale,
      createdAt: Date.parse(job.created_at),
      finishedAt,
    });
    const { version, columns, biller } = exportPlan;
    const metadata = buildMetadata({
      tenantId: name.tenant_id,
      mode: biller.mode,
      lane: job.residency,
      version,
      columns,
      period,
      asOf,
      isStale,
      finishedAt,
    });
    await files.put({ key: keys.metadata, contentType: JSON_TYPE }, JSON.stringify(metadata, null, 2));
    await files.put({ key: keys.manifest, contentType: JSON_TYPE }, JSON.stringify(manifest, null, 2));

    const succeededJob = markSucceeded(current.document, resultOf(manifest, written), finishedAt);
    const writes = exports.change(succeededJob, current.revision, { claim: attempt(), attempt: 1 });
    if (await commit([...writes, outbox.raise(exportFinishedEvent(tenant, succeededJob, baseUrl))]))
      return { finished: true };
    // Another attempt finished first, or the export was failed. The retry of this step reads the new state.
    throw new Error('The export changed during the write.');
  };
