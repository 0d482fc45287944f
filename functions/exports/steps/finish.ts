import * as z from 'zod';
import { EXPORT_FILES_MAXIMUM, type StoredExport } from '../../../schemas/exports.ts';
import type { ExportManifest } from '../../../schemas/focus.ts';
import type { Outbox } from '../../events/outbox.store.ts';
import { commit } from '../../shared/aws/document.store.ts';
import type { Clock } from '../../shared/clock.ts';
import { decimal, toDecimalString } from '../../shared/decimal.ts';
import { uniteTotals } from '../aggregation/totals.ts';
import type { FileStore, WorkStore } from '../files/file.store.ts';
import { manifestOf } from '../files/manifest.ts';
import { metadataOf } from '../files/metadata.ts';
import { endedEvent } from '../job/ended.ts';
import type { ExportStore } from '../job/export.store.ts';
import { ExportError } from '../job/exportError.ts';
import { isHeldBy, succeeded } from '../job/job.ts';
import { exportKeys } from '../job/keys.ts';
import { exportPeriodOf } from '../request/bounds.ts';
import { JSON_TYPE } from './contentTypes.ts';
import { exportPlanOf, Plan, readWork, United, Written } from './work.ts';
import { writtenKey } from './write.ts';

export const FinishInput = z.object({ united: z.string(), execution: z.string() });
type FinishInput = z.infer<typeof FinishInput>;

const resultOf = (
  manifest: ExportManifest,
  written: readonly z.infer<typeof Written>[],
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
    const united = await readWork(work, unitedKey, United);
    const plan = await readWork(work, united.plan, Plan);
    const { tenant, job } = plan;
    const name = { tenant_id: tenant.tenant_id, job_id: job.job_id };
    const found = await exports.find(name);
    if (found === null || !isHeldBy(found.document, execution)) return { finished: true };

    const written = [];
    for (const stretch of united.stretches.keys()) {
      written.push(await readWork(work, writtenKey(unitedKey, stretch), Written));
    }
    if (written.reduce((sum, { files: own }) => sum + own.length, 0) > EXPORT_FILES_MAXIMUM) {
      throw new ExportError('too_large', 'there are more files than an export may have');
    }
    const exportPlan = exportPlanOf(plan);
    const keys = exportKeys(name.tenant_id, name.job_id);
    const finishedAt = clock();
    const asOf = Date.parse(job.as_of);
    const manifest = manifestOf({
      exportId: job.job_id,
      request: job.request,
      plan: exportPlan,
      summary: united.summary,
      foldings: united.foldings,
      totals: uniteTotals(written.map(({ totals }) => totals)),
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
    const metadata = metadataOf({
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

    const ended = succeeded(found.document, resultOf(manifest, written), finishedAt);
    const writes = exports.change(ended, found.revision, { claim: attempt(), attempt: 1 });
    if (await commit([...writes, outbox.raise(endedEvent(tenant, ended, baseUrl))]))
      return { finished: true };
    // Another try came first, or it was given up: the next try of this step sees which.
    throw new Error('an export was changed');
  };
