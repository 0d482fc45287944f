import pMap from 'p-map';
import * as z from 'zod';
import {
  EXPORT_DAY_LINES_MAXIMUM,
  EXPORT_FILES_MAXIMUM,
  EXPORT_GROUPS_MAXIMUM,
  EXPORT_LINES_MAXIMUM,
} from '../../../schemas/exports.ts';
import { type Month, monthsBetween } from '../../shared/month.ts';
import { foldingOf, StoredFolding } from '../aggregation/folding.ts';
import { type Summary, uniteSummaries } from '../aggregation/gathering.ts';
import { type Run, touches } from '../aggregation/runs.ts';
import type { WorkStore } from '../files/file.store.ts';
import type { ExportStore } from '../job/export.store.ts';
import { ExportError } from '../job/exportError.ts';
import { exportPeriodOf } from '../request/bounds.ts';
import { gatheredKey } from './gather.ts';
import { tellProgress } from './progress.ts';
import { stretchesOf } from './stretches.ts';
import {
  exportPlanOf,
  folderOf,
  Gathered,
  Part,
  Plan,
  readWork,
  StretchToWrite,
  United,
  writeWork,
} from './work.ts';

/** Parts read at once: each may hold some ten thousand groups. */
const CONCURRENCY = 4;

export const UniteInput = z.object({ plan: z.string(), execution: z.string() });
type UniteInput = z.infer<typeof UniteInput>;

export interface UniteOutput {
  readonly united: string;
  readonly stretches: readonly { readonly united: string; readonly stretch: number }[];
}

const tooLarge = (what: string) =>
  new ExportError('too_large', `there are more ${what} than one step may take`);

/** All that was gathered of a month; a few parts are in memory at a time. */
const gatheredIn = async (
  work: WorkStore,
  pieces: readonly string[],
): Promise<{ readonly summary: Summary; readonly runs: readonly Run[] }> => {
  const gathered = await pMap(pieces, (key) => readWork(work, key, Gathered), { concurrency: CONCURRENCY });
  const keys = gathered.flatMap(({ parts }) => parts);
  const runs: Run[] = [];
  let summary = uniteSummaries([]);
  for (let index = 0; index < keys.length; index += CONCURRENCY) {
    const some = keys.slice(index, index + CONCURRENCY);
    const parts = await Promise.all(some.map((key) => readWork(work, key, Part)));
    summary = uniteSummaries([summary, ...parts.map((part) => part.summary)]);
    for (const part of parts) for (const run of part.runs) runs.push(run);
    if (summary.cohorts.length > EXPORT_GROUPS_MAXIMUM) throw tooLarge('groups of a month');
  }
  return { summary, runs };
};

/**
 * Decides, month by month and from all that was gathered, what is folded, and parts each month into stretches that one
 * step each can write. Throws an ExportError where the export is more than is made at once.
 */
export const unite =
  (deps: { readonly work: WorkStore; readonly exports: ExportStore; readonly attempt: () => string }) =>
  async ({ plan: planKey, execution }: UniteInput): Promise<UniteOutput> => {
    const { work, attempt } = deps;
    const plan = await readWork(work, planKey, Plan);
    const { grain, layout } = exportPlanOf(plan);
    const { from, to } = exportPeriodOf(plan.job.request);
    const name = `${folderOf(plan)}/united-${attempt()}`;
    const piecesOf = (month: Month): string[] =>
      plan.pieces.flatMap((piece, index) => (piece.month === month ? [gatheredKey(planKey, index)] : []));

    const stretches: string[] = [];
    const foldings = [];
    let whole = uniteSummaries([]);
    let [lines, files] = [0, 0];
    for (const month of monthsBetween(from, to - 1)) {
      const { summary, runs } = await gatheredIn(work, piecesOf(month));
      const folding = foldingOf(summary.cohorts, grain);
      const foldingKey = `${name}/folding-${month}.json`;
      await writeWork(work, foldingKey, StoredFolding, folding);
      foldings.push({ groups: folding.groups, cost: folding.cost });
      whole = uniteSummaries([whole, { ...summary, cohorts: [] }]);
      for (const { lines: count, ...stretch } of stretchesOf(month, runs)) {
        if (count > EXPORT_DAY_LINES_MAXIMUM) throw tooLarge('lines of a day');
        lines += count;
        files += Math.max(Math.ceil(count / layout.limits.rows), 1);
        const key = `${name}/stretch-${stretches.length}.json`;
        const within = runs.filter((run) => touches(run, stretch));
        await writeWork(work, key, StretchToWrite, { ...stretch, runs: within, folding: foldingKey });
        stretches.push(key);
      }
    }
    if (lines > EXPORT_LINES_MAXIMUM) throw tooLarge('lines');
    if (files > EXPORT_FILES_MAXIMUM) throw tooLarge('files');
    const united = `${name}.json`;
    await writeWork(work, united, United, { plan: planKey, summary: whole, foldings, stretches });
    const done = plan.pieces.length;
    await tellProgress(deps, plan, execution, { done, total: done + stretches.length });
    return { united, stretches: stretches.map((_, stretch) => ({ united, stretch })) };
  };
