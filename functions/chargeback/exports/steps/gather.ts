import * as z from 'zod';
import type { LedgerReader } from '../../../ledger/records/ledger.store.ts';
import { ScanPosition, scanMonth } from '../../../ledger/records/query/scanRecords.ts';
import { isWritten } from '../../../ledger/records/query/visibility.ts';
import type { RollupReader } from '../../../ledger/rollups/rollup.store.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { Aggregator, type Summary } from '../aggregation/aggregator.ts';
import { describeRun, encodeLines, type SortedRun } from '../aggregation/sortedRuns.ts';
import type { WorkStore } from '../files/file.store.ts';
import type { Line } from '../focus/line.ts';
import { openCohorts } from './cohortDocuments.ts';
import { gatherCohorts } from './gatherCohorts.ts';
import {
  AggregatedPartition,
  ExecutionPlan,
  outputPlanOf,
  PartialAggregate,
  readWork,
  workPrefix,
  writeWork,
} from './workDocuments.ts';

export const GatherInput = z.object({
  plan: z.string(),
  /** Index of the partition in the plan. */
  partition: z.int(),
  /** Keys of the partial aggregates that earlier calls wrote for this partition. */
  parts: z.array(z.string()),
  /** Scan position at which this call resumes. */
  position: ScanPosition,
});
export type GatherInput = z.infer<typeof GatherInput>;

export type GatherOutput = GatherInput & { readonly done: boolean };

/** Lines in memory before a run is written, about 100 MB. */
const LINES_MAXIMUM = 40_000;

/** Key of the document that lists all partial aggregates of a partition. */
export const aggregatedKey = (plan: string, partition: number): string => `${plan}.partition-${partition}`;

/**
 * Aggregates a partition into sorted runs of lines and a summary: of the ledger as of the export's instant, or of the
 * rollups when the export is made from cohorts, which takes one call. Stops after
 * `slice` and returns the position at which the next call resumes. Each call writes under a unique key and only returns
 * that key, so the output of a call that crashed or timed out is never read. Throws a RangeError when the plan has no such
 * partition.
 */
export const gather =
  (deps: {
    readonly ledger: LedgerReader;
    readonly rollups: RollupReader;
    readonly work: WorkStore;
    readonly clock: Clock;
    readonly attempt: () => string;
    /** Time limit of a call, in milliseconds. */
    readonly slice: number;
    readonly linesMaximum?: number;
    readonly pageVersions?: number;
  }) =>
  async (input: GatherInput): Promise<GatherOutput> => {
    const { ledger, rollups, work, clock, attempt, slice } = deps;
    const { linesMaximum = LINES_MAXIMUM, pageVersions } = deps;
    const until = clock() + slice;
    const plan = await readWork(work, input.plan, ExecutionPlan);
    const partition = plan.partitions[input.partition];
    if (partition === undefined) throw new RangeError(`The export has no partition ${input.partition}.`);
    const name = `${workPrefix(plan)}/partition-${input.partition}/${attempt()}`;
    const asOf = Date.parse(plan.job.as_of);
    const { grain, admission } = outputPlanOf(plan);
    const runs: SortedRun[] = [];

    const putRun = async (lines: readonly Line[]): Promise<void> => {
      if (lines.length === 0) return;
      const key = `${name}-${runs.length}.jsonl`;
      const text = encodeLines(lines);
      await work.put(key, text);
      runs.push(describeRun(key, text, lines));
    };
    const finish = async (summary: Summary, position: ScanPosition | null): Promise<GatherOutput> => {
      await writeWork(work, `${name}.json`, PartialAggregate, { summary, runs });
      const parts = [...input.parts, `${name}.json`];
      const done = position === null;
      if (done)
        await writeWork(work, aggregatedKey(input.plan, input.partition), AggregatedPartition, { parts });
      return { ...input, parts, position: position ?? input.position, done };
    };

    if (plan.job.basis === 'cohorts') {
      const { lines, summary } = await gatherCohorts(rollups, plan, partition);
      await putRun(lines);
      return finish(summary, null);
    }

    const cohorts = await openCohorts(work, input.plan, plan, partition.month);
    const aggregator = new Aggregator(grain, admission, cohorts);
    let position: ScanPosition | null = input.position;
    const { tenant } = plan;
    for await (const { items, resume } of scanMonth(ledger, {
      tenant,
      month: partition.month,
      period: partition,
      position,
      asOf,
      pageVersions,
    })) {
      for (const { validity, attribution } of items) {
        // A scan also returns first versions written while it runs. An export only shows versions up to its instant.
        if (isWritten(validity, asOf)) aggregator.add(attribution, validity.from);
      }
      if (aggregator.size >= linesMaximum) await putRun(aggregator.takeLines());
      position = resume;
      if (clock() >= until) break;
    }

    await putRun(aggregator.takeLines());
    return finish(aggregator.summary(), position);
  };
