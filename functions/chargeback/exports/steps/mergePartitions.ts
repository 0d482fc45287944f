import pMap from 'p-map';
import * as z from 'zod';
import {
  EXPORT_DAY_LINES_MAXIMUM,
  EXPORT_FILES_MAXIMUM,
  EXPORT_LINES_MAXIMUM,
} from '../../../../schemas/chargeback/exports.ts';
import { type Month, monthsBetween } from '../../../platform/shared/time/month.ts';
import { mergeSummaries, type Summary } from '../aggregation/aggregator.ts';
import type { WorkStore } from '../files/file.store.ts';
import type { ExportStore } from '../job/export.store.ts';
import { ExportError } from '../job/exportError.ts';
import type { StoredLines } from '../lines/storedLines.ts';
import { exportPeriodOf } from '../request/exportLimits.ts';
import { reportProgress } from './reportProgress.ts';
import {
  AggregatedPartition,
  aggregatedKey,
  ExecutionPlan,
  MergeResult,
  outputPlanOf,
  PartialAggregate,
  readWork,
  StoredWriteRange,
  workPrefix,
  writeWork,
} from './workDocuments.ts';
import { planWriteRanges } from './writeRanges.ts';

/** Documents read in parallel. */
const CONCURRENCY = 4;

export const MergeInput = z.object({ plan: z.string(), execution: z.string() });
type MergeInput = z.infer<typeof MergeInput>;

export interface MergeOutput {
  /** Key of the merge result. */
  readonly merge: string;
  /** Input of the write step, one for each range. */
  readonly ranges: readonly { readonly merge: string; readonly range: number }[];
}

const tooLarge = (limit: number, what: string) =>
  new ExportError('too_large', `The export has more than ${limit} ${what}.`);

/** Reads and merges all partial aggregates of a month, `CONCURRENCY` at a time to bound memory. */
const readAggregates = async (
  work: WorkStore,
  partitionKeys: readonly string[],
): Promise<{ readonly summary: Summary; readonly stored: readonly StoredLines[] }> => {
  const partitions = await pMap(partitionKeys, (key) => readWork(work, key, AggregatedPartition), {
    concurrency: CONCURRENCY,
  });
  const keys = partitions.flatMap(({ parts }) => parts);
  const stored: StoredLines[] = [];
  let summary = mergeSummaries([]);
  for (let index = 0; index < keys.length; index += CONCURRENCY) {
    const batch = keys.slice(index, index + CONCURRENCY);
    const parts = await Promise.all(batch.map((key) => readWork(work, key, PartialAggregate)));
    summary = mergeSummaries([summary, ...parts.map((part) => part.summary)]);
    stored.push(...parts.map(({ lines }) => lines));
  }
  return { summary, stored };
};

/**
 * Adds up the summaries of all partitions, and splits each month into ranges that one write step each can handle. Throws an ExportError when the export exceeds a limit.
 */
export const mergePartitions =
  (deps: { readonly work: WorkStore; readonly exports: ExportStore; readonly attempt: () => string }) =>
  async ({ plan: planKey, execution }: MergeInput): Promise<MergeOutput> => {
    const { work, attempt } = deps;
    const plan = await readWork(work, planKey, ExecutionPlan);
    const { limits } = outputPlanOf(plan);
    const { from, to } = exportPeriodOf(plan.job.request);
    const name = `${workPrefix(plan)}/merge-${attempt()}`;
    const aggregatedKeysOf = (month: Month): string[] =>
      plan.partitions.flatMap((partition, index) =>
        partition.month === month ? [aggregatedKey(planKey, index)] : [],
      );

    const rangeKeys: string[] = [];
    const folded = { groups: 0, cost: 0n };
    let whole = mergeSummaries([]);
    let [lines, files] = [0, 0];
    for (const month of monthsBetween(from, to - 1)) {
      const { summary, stored } = await readAggregates(work, aggregatedKeysOf(month));
      folded.groups += summary.folded.groups.length;
      folded.cost += summary.folded.cost;
      whole = mergeSummaries([whole, { ...summary, folded: { groups: [], cost: 0n } }]);
      for (const { lines: count, ...range } of planWriteRanges(month, stored)) {
        if (count > EXPORT_DAY_LINES_MAXIMUM) throw tooLarge(EXPORT_DAY_LINES_MAXIMUM, 'lines on one day');
        lines += count;
        files += Math.max(Math.ceil(count / limits.rows), 1);
        const key = `${name}/range-${rangeKeys.length}.json`;
        const overlapping = stored.filter(({ days }) =>
          days.some(([day]) => range.from <= day && day < range.to),
        );
        const keys = overlapping.map((one) => one.key);
        await writeWork(work, key, StoredWriteRange, { ...range, lines: keys });
        rangeKeys.push(key);
      }
    }
    if (lines > EXPORT_LINES_MAXIMUM) throw tooLarge(EXPORT_LINES_MAXIMUM, 'lines');
    if (files > EXPORT_FILES_MAXIMUM) throw tooLarge(EXPORT_FILES_MAXIMUM, 'files');
    const mergeResultKey = `${name}.json`;
    await writeWork(work, mergeResultKey, MergeResult, {
      plan: planKey,
      summary: whole,
      folded,
      ranges: rangeKeys,
    });
    const done = plan.partitions.length;
    await reportProgress(deps, plan, execution, { done, total: done + rangeKeys.length });
    return {
      merge: mergeResultKey,
      ranges: rangeKeys.map((_, range) => ({ merge: mergeResultKey, range })),
    };
  };
