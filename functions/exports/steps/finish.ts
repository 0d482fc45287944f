import * as z from 'zod';
import { EXPORT_FILES_MAXIMUM, type StoredExport } from '../../../schemas/exports.ts';
import type { ExportManifest } from '../../../schemas/focus.ts';
import type { Outbox } from '../../events/outbox.store.ts';
import { commit } from '../../shared/aws/document.store.ts';
import type { Clock } from '../../shared/clock.ts';
import { decimal, toDecimalString } from '../../shared/decimal.ts';
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
import { ExecutionPlan, MergeResult, outputPlanOf, readWork, WrittenRange } from './workDocuments.ts';
import { writtenKey } from './write.ts';

export const FinishInput = z.object({ united: z.string(), execution: z.string() });
type FinishInput = z.infer<typeof FinishInput>;

const resultOf = (
  manifest: ExportManifest,
  written: readonly z.infer<typeof WrittenRange>[],
): NonNullable<StoredExport['result']> => ({
  file_count: manifest.files.length,
  row_count: manifest.row_count,
  bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
  records: manifest.totals.records,
  cost_usd: manifest.totals.costs[0]?.list_cost ?? '0',
  excluded_records: manifest.excluded.reduce((sum, { records }) => sum + records, 0),
  excluded_cost_usd: toDecimalString(
    manifest.excluded.reduce((sum, { cost_usd }) => sum.plus(decimal(cost_usd)), decimal('0')),
  ),
  files: written.map(({ month, first, files }) => ({ month, first, count: files.length })),
});

/**
 * Delivers metadata and manifest, the manifest last, and ends the export together with its event. Does nothing where the
 * execution does not have the export any more. Throws an ExportError where its rows do not sum to the ledger.
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
  async ({ united: unitedKey, execution }: FinishInput): Promise<{ readonly finished: true }> => {
    const { exports, outbox, work, files, clock, attempt, baseUrl } = deps;
    const mergeResult = await readWork(work, unitedKey, MergeResult);
    const plan = await readWork(work, mergeResult.plan, ExecutionPlan);
    const { tenant, job } = plan;
    const name = { tenant_id: tenant.tenant_id, job_id: job.job_id };
    const found = await exports.find(name);
    if (found === null || !isHeldBy(found.document, execution)) return { finished: true };

    const written = [];
    for (const stretch of mergeResult.stretches.keys()) {
      written.push(await readWork(work, writtenKey(unitedKey, stretch), WrittenRange));
    }
    if (written.reduce((sum, { files: own }) => sum + own.length, 0) > EXPORT_FILES_MAXIMUM) {
      throw new ExportError('too_large', 'there are more files than an export may have');
    }
    const exportPlan = outputPlanOf(plan);
    const keys = objectKeys(name.tenant_id, name.job_id);
    const finishedAt = clock();
    const asOf = Date.parse(job.as_of);
    const manifest = buildManifest({
      exportId: job.job_id,
      request: job.request,
      plan: exportPlan,
      summary: mergeResult.summary,
      suppressions: mergeResult.foldings,
      totals: mergeTotals(written.map(({ totals }) => totals)),
      files: written.flatMap(({ month, first, files: own }) =>
        own.map((file, index) => ({
          key: keys.file(month, first + index, job.request.file_format),
          billing_period: month,
          ...file,
        })),
      ),
      asOf,
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
      period: exportPeriodOf(job.request),
      asOf,
      finishedAt,
    });
    await files.put({ key: keys.metadata, contentType: JSON_TYPE }, JSON.stringify(metadata, null, 2));
    await files.put({ key: keys.manifest, contentType: JSON_TYPE }, JSON.stringify(manifest, null, 2));

    const ended = markSucceeded(found.document, resultOf(manifest, written), finishedAt);
    const writes = exports.change(ended, found.revision, { claim: attempt(), attempt: 1 });
    if (await commit([...writes, outbox.raise(exportFinishedEvent(tenant, ended, baseUrl))]))
      return { finished: true };
    // Another try came first, or it was given up: the next try of this step sees which.
    throw new Error('an export was changed');
  };
