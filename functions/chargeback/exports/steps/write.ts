import * as z from 'zod';
import { readRowTotals } from '../aggregation/rowTotals.ts';
import type { FileStore, WorkStore } from '../files/file.store.ts';
import { schemaIdOf } from '../files/focusMetadata.ts';
import { writeFiles } from '../files/writeFiles.ts';
import { ExportError } from '../job/exportError.ts';
import { objectKeys } from '../job/objectKeys.ts';
import { withDatabase } from '../lines/database.ts';
import { loadLines } from '../lines/storedLines.ts';
import { contentTypes } from './contentTypes.ts';
import {
  ExecutionPlan,
  MergeResult,
  outputPlanOf,
  readWork,
  StoredWriteRange,
  WrittenRange,
  writeWork,
  writtenKey,
} from './workDocuments.ts';
import { FILE_NUMBERS_PER_RANGE } from './writeRanges.ts';

export const WriteInput = z.object({ merge: z.string(), range: z.int() });
type WriteInput = z.infer<typeof WriteInput>;

/**
 * Merges the lines of a range and writes them as files. The output depends only on documents of earlier steps, so a retry
 * writes the same bytes under the same keys. Throws an ExportError when the range has more files than file numbers.
 */
export const write =
  (deps: { readonly work: WorkStore; readonly files: FileStore }) =>
  ({ merge: mergeKey, range: index }: WriteInput): Promise<WriteInput> =>
    withDatabase(async (database) => {
      const { work, files } = deps;
      const mergeResult = await readWork(work, mergeKey, MergeResult);
      const range = await readWork(work, mergeResult.ranges[index] ?? '', StoredWriteRange);
      const plan = await readWork(work, mergeResult.plan, ExecutionPlan);
      const exportPlan = outputPlanOf(plan);
      const keys = objectKeys(plan.tenant.tenant_id, plan.job.job_id);
      const metadata = { 'focus-schema-id': schemaIdOf(exportPlan.version, exportPlan.columns) };

      await loadLines(database, work, range.lines, range, exportPlan.texts);
      const totals = await readRowTotals(database);
      const written = await writeFiles(database, exportPlan, totals.rows, async (part, path) => {
        if (part >= FILE_NUMBERS_PER_RANGE)
          throw new ExportError(
            'too_large',
            `One write range has more than ${FILE_NUMBERS_PER_RANGE} files.`,
          );
        const key = keys.file(range.month, range.first + part - 1, exportPlan.format);
        await files.putFile({ key, contentType: contentTypes[exportPlan.format], metadata }, path);
      });
      await writeWork(work, writtenKey(mergeKey, index), WrittenRange, {
        month: range.month,
        first: range.first,
        files: written.map((file) => ({ ...file })),
        totals: { ...totals, consumed: [...totals.consumed] },
      });
      return { merge: mergeKey, range: index };
    });
