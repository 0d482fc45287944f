import * as z from 'zod';
import { exportRows } from '../aggregation/exportRows.ts';
import { mergeRuns } from '../aggregation/mergeRuns.ts';
import { RowTotalsCounter } from '../aggregation/rowTotals.ts';
import { readRun } from '../aggregation/sortedRuns.ts';
import { StoredSuppression } from '../aggregation/suppression.ts';
import type { FileStore, WorkStore } from '../files/file.store.ts';
import { writeFiles } from '../files/files.ts';
import { schemaIdOf } from '../files/focusMetadata.ts';
import { ExportError } from '../job/exportError.ts';
import { objectKeys } from '../job/objectKeys.ts';
import { contentTypes } from './contentTypes.ts';
import {
  ExecutionPlan,
  MergeResult,
  outputPlanOf,
  readWork,
  StoredWriteRange,
  WrittenRange,
  writeWork,
} from './workDocuments.ts';
import { FILE_NUMBERS_PER_RANGE } from './writeRanges.ts';

export const WriteInput = z.object({ united: z.string(), stretch: z.int() });
type WriteInput = z.infer<typeof WriteInput>;

/** Where a stretch's step says what it delivered. */
export const writtenKey = (united: string, stretch: number): string => `${united}.written-${stretch}`;

/**
 * Puts the lines of a stretch together and delivers them as files. Everything follows from what earlier steps left, so
 * a repetition writes the same bytes under the same names. One file is open at a time; of what was gathered, a part of
 * each run that reaches into the same charge period.
 */
export const write =
  (deps: { readonly work: WorkStore; readonly files: FileStore }) =>
  async ({ united: unitedKey, stretch: index }: WriteInput): Promise<WriteInput> => {
    const { work, files } = deps;
    const mergeResult = await readWork(work, unitedKey, MergeResult);
    const stretch = await readWork(work, mergeResult.stretches[index] ?? '', StoredWriteRange);
    const plan = await readWork(work, mergeResult.plan, ExecutionPlan);
    const suppression = await readWork(work, stretch.folding, StoredSuppression);
    const exportPlan = outputPlanOf(plan);
    const keys = objectKeys(plan.tenant.tenant_id, plan.job.job_id);
    const { file_format: format } = plan.job.request;
    const metadata = { 'focus-schema-id': schemaIdOf(exportPlan.version, exportPlan.columns) };
    const sources = stretch.runs.map((run) => ({
      first: run.first,
      lines: () => readRun(run, stretch, (from, to) => work.getRange(run.key, from, to)),
    }));
    const totals = new RowTotalsCounter();
    const rows = exportRows(mergeRuns(sources), suppression, exportPlan, totals);

    let abort = async (): Promise<void> => undefined;
    const open = async (part: number) => {
      if (part >= FILE_NUMBERS_PER_RANGE)
        throw new ExportError('too_large', 'a stretch has more files than there are numbers');
      const key = keys.file(stretch.month, stretch.first + part - 1, format);
      const destination = await files.open({ key, contentType: contentTypes[format], metadata });
      abort = destination.abort;
      return destination;
    };
    const written = await writeFiles(rows, exportPlan.layout, open).catch(async (error: unknown) => {
      await abort().catch(() => undefined);
      throw error;
    });
    await writeWork(work, writtenKey(unitedKey, index), WrittenRange, {
      month: stretch.month,
      first: stretch.first,
      files: written.map((file) => ({ ...file })),
      totals: { sum: totals.sum, rows: totals.rows, consumed: totals.consumed },
    });
    return { united: unitedKey, stretch: index };
  };
