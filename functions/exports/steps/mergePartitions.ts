import pMap from 'p-map';
import * as z from 'zod';
import {
  EXPORT_DAY_LINES_MAXIMUM,
  EXPORT_FILES_MAXIMUM,
  EXPORT_GROUPS_MAXIMUM,
  EXPORT_LINES_MAXIMUM,
} from '../../../schemas/exports.ts';
import { type Month, monthsBetween } from '../../shared/month.ts';
import { mergeSummaries, type Summary } from '../aggregation/aggregator.ts';
import { overlapsRange, type SortedRun } from '../aggregation/sortedRuns.ts';
import { decideSuppression, StoredSuppression } from '../aggregation/suppression.ts';
import type { WorkStore } from '../files/file.store.ts';
import type { ExportStore } from '../job/export.store.ts';
import { ExportError } from '../job/exportError.ts';
import { exportPeriodOf } from '../request/exportLimits.ts';
import { aggregatedKey } from './gather.ts';
import { reportProgress } from './reportProgress.ts';
import {
  AggregatedPartition,
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

/** Parts read at once: each may hold some ten thousand groups. */
const CONCURRENCY = 4;

export const MergeInput = z.object({ plan: z.string(), execution: z.string() });
type UniteInput = z.infer<typeof MergeInput>;

export interface MergeOutput {
  readonly united: string;
  readonly stretches: readonly { readonly united: string; readonly stretch: number }[];
}

const tooLarge = (what: string) =>
  new ExportError('too_large', `there are more ${what} than one step may take`);

/** All that was gathered of a month; a few parts are in memory at a time. */
const readAggregates = async (
  work: WorkStore,
  pieces: readonly string[],
): Promise<{ readonly summary: Summary; readonly runs: readonly SortedRun[] }> => {
  const gathered = await pMap(pieces, (key) => readWork(work, key, AggregatedPartition), {
    concurrency: CONCURRENCY,
  });
  const keys = gathered.flatMap(({ parts }) => parts);
  const runs: SortedRun[] = [];
  let summary = mergeSummaries([]);
  for (let index = 0; index < keys.length; index += CONCURRENCY) {
    const some = keys.slice(index, index + CONCURRENCY);
    const parts = await Promise.all(some.map((key) => readWork(work, key, PartialAggregate)));
    summary = mergeSummaries([summary, ...parts.map((part) => part.summary)]);
    for (const part of parts) for (const run of part.runs) runs.push(run);
    if (summary.cohorts.length > EXPORT_GROUPS_MAXIMUM) throw tooLarge('groups of a month');
  }
  return { summary, runs };
};

/**
 * Decides, month by month and from all that was gathered, what is folded, and parts each month into stretches that one
 * step each can write. Throws an ExportError where the export is more than is made at once.
 */
export const mergePartitions =
  (deps: { readonly work: WorkStore; readonly exports: ExportStore; readonly attempt: () => string }) =>
  async ({ plan: planKey, execution }: UniteInput): Promise<MergeOutput> => {
    const { work, attempt } = deps;
    const plan = await readWork(work, planKey, ExecutionPlan);
    const { grain, layout } = outputPlanOf(plan);
    const { from, to } = exportPeriodOf(plan.job.request);
    const name = `${workPrefix(plan)}/united-${attempt()}`;
    const aggregatedKeysOf = (month: Month): string[] =>
      plan.pieces.flatMap((piece, index) => (piece.month === month ? [aggregatedKey(planKey, index)] : []));

    const rangeKeys: string[] = [];
    const suppressions = [];
    let whole = mergeSummaries([]);
    let [lines, files] = [0, 0];
    for (const month of monthsBetween(from, to - 1)) {
      const { summary, runs } = await readAggregates(work, aggregatedKeysOf(month));
      const suppression = decideSuppression(summary.cohorts, grain);
      const suppressionKey = `${name}/folding-${month}.json`;
      await writeWork(work, suppressionKey, StoredSuppression, suppression);
      suppressions.push({ groups: suppression.groups, cost: suppression.cost });
      whole = mergeSummaries([whole, { ...summary, cohorts: [] }]);
      for (const { lines: count, ...stretch } of planWriteRanges(month, runs)) {
        if (count > EXPORT_DAY_LINES_MAXIMUM) throw tooLarge('lines of a day');
        lines += count;
        files += Math.max(Math.ceil(count / layout.limits.rows), 1);
        const key = `${name}/stretch-${rangeKeys.length}.json`;
        const within = runs.filter((run) => overlapsRange(run, stretch));
        await writeWork(work, key, StoredWriteRange, { ...stretch, runs: within, folding: suppressionKey });
        rangeKeys.push(key);
      }
    }
    if (lines > EXPORT_LINES_MAXIMUM) throw tooLarge('lines');
    if (files > EXPORT_FILES_MAXIMUM) throw tooLarge('files');
    const mergeResultKey = `${name}.json`;
    await writeWork(work, mergeResultKey, MergeResult, {
      plan: planKey,
      summary: whole,
      foldings: suppressions,
      stretches: rangeKeys,
    });
    const done = plan.pieces.length;
    await reportProgress(deps, plan, execution, { done, total: done + rangeKeys.length });
    return {
      united: mergeResultKey,
      stretches: rangeKeys.map((_, stretch) => ({ united: mergeResultKey, stretch })),
    };
  };
