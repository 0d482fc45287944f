import * as z from 'zod';
import { exportRows } from '../aggregation/exportRows.ts';
import { mergeRuns } from '../aggregation/mergeRuns.ts';
import { RowTotalsCounter } from '../aggregation/rowTotals.ts';
import { readRun } from '../aggregation/sortedRuns.ts';
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

export const WriteInput = z.object({ merge: z.string(), range: z.int() });
type WriteInput = z.infer<typeof WriteInput>;

/** Key of the document that a write step leaves. */
export const writtenKey = (merge: string, range: number): string => `${merge}.written-${range}`;

/**
 * Merges the lines of a range and writes them as files. The output depends only on documents of earlier steps, so a retry
 * writes the same bytes under the same keys. One file is open at a time. Of each run that overlaps the current charge
 * period, one block is in memory. Throws an ExportError when the range has more files than file numbers.
 */
export const write =
  (deps: { readonly work: WorkStore; readonly files: FileStore }) =>
  async ({ merge: mergeKey, range: index }: WriteInput): Promise<WriteInput> => {
    const { work, files } = deps;
    const mergeResult = await readWork(work, mergeKey, MergeResult);
    const range = await readWork(work, mergeResult.ranges[index] ?? '', StoredWriteRange);
    const plan = await readWork(work, mergeResult.plan, ExecutionPlan);
    const exportPlan = outputPlanOf(plan);
    const keys = objectKeys(plan.tenant.tenant_id, plan.job.job_id);
    const { file_format: format } = plan.job.request;
    const metadata = { 'focus-schema-id': schemaIdOf(exportPlan.version, exportPlan.columns) };
    const sources = range.runs.map((run) => ({
      first: run.first,
      lines: () => readRun(run, range, (from, to) => work.getRange(run.key, from, to)),
    }));
    const totals = new RowTotalsCounter();
    const rows = exportRows(mergeRuns(sources), exportPlan, totals);

    let abort = async (): Promise<void> => undefined;
    const open = async (part: number) => {
      if (part >= FILE_NUMBERS_PER_RANGE)
        throw new ExportError('too_large', `One write range has more than ${FILE_NUMBERS_PER_RANGE} files.`);
      const key = keys.file(range.month, range.first + part - 1, format);
      const destination = await files.open({ key, contentType: contentTypes[format], metadata });
      abort = destination.abort;
      return destination;
    };
    const written = await writeFiles(rows, exportPlan.layout, open).catch(async (error: unknown) => {
      await abort().catch(() => undefined);
      throw error;
    });
    await writeWork(work, writtenKey(mergeKey, index), WrittenRange, {
      month: range.month,
      first: range.first,
      files: written.map((file) => ({ ...file })),
      totals: {
        sum: totals.sum,
        unassigned: totals.unassigned,
        rows: totals.rows,
        consumed: totals.consumed,
      },
    });
    return { merge: mergeKey, range: index };
  };
