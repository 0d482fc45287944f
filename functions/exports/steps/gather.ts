import * as z from 'zod';
import type { LedgerReader } from '../../ledger/ledger.store.ts';
import { ScanPosition, scanMonth } from '../../ledger/query/scanRecords.ts';
import type { Clock } from '../../shared/clock.ts';
import { Aggregator } from '../aggregation/aggregator.ts';
import { describeRun, encodeLines, type SortedRun } from '../aggregation/sortedRuns.ts';
import type { WorkStore } from '../files/file.store.ts';
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
  piece: z.int(),
  /** What was gathered of the piece so far. */
  parts: z.array(z.string()),
  /** Where it goes on. */
  position: ScanPosition,
});
export type GatherInput = z.infer<typeof GatherInput>;

export type GatherOutput = GatherInput & { readonly done: boolean };

/** Lines held at once, some 100 MB of them. */
const LINES_MAXIMUM = 40_000;

/** Where the last step of a piece says what all of them left. */
export const aggregatedKey = (plan: string, piece: number): string => `${plan}.piece-${piece}`;

/**
 * Reads a piece of the ledger as of the export's instant into lines and a summary, for as long as there is time; whoever
 * calls it calls again where it stopped. What a call leaves has a name of its own and is known only by its answer, so a
 * call that crashed, or goes on unnoticed beside its successor, leaves nothing that is ever read.
 */
export const gather =
  (deps: {
    readonly ledger: LedgerReader;
    readonly work: WorkStore;
    readonly clock: Clock;
    readonly attempt: () => string;
    /** How long a call gathers, in milliseconds. */
    readonly slice: number;
    readonly linesMaximum?: number;
    readonly pageVersions?: number;
  }) =>
  async (input: GatherInput): Promise<GatherOutput> => {
    const { ledger, work, clock, attempt, slice } = deps;
    const { linesMaximum = LINES_MAXIMUM, pageVersions } = deps;
    const until = clock() + slice;
    const plan = await readWork(work, input.plan, ExecutionPlan);
    const partition = plan.pieces[input.piece];
    if (partition === undefined) throw new RangeError('an export has no such piece');
    const name = `${workPrefix(plan)}/piece-${input.piece}/${attempt()}`;
    const asOf = Date.parse(plan.job.as_of);
    const { grain, admission } = outputPlanOf(plan);
    const aggregator = new Aggregator(grain, admission);
    const runs: SortedRun[] = [];

    const putRun = async (): Promise<void> => {
      const lines = aggregator.takeLines();
      if (lines.length === 0) return;
      const key = `${name}-${runs.length}.jsonl`;
      const text = encodeLines(lines);
      await work.put(key, text);
      runs.push(describeRun(key, text, lines));
    };

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
        // A scan shows first versions that came while it was under way: here nothing is shown that came later.
        if (validity.from <= asOf) aggregator.add(attribution);
      }
      if (aggregator.size >= linesMaximum) await putRun();
      position = resume;
      if (clock() >= until) break;
    }

    await putRun();
    await writeWork(work, `${name}.json`, PartialAggregate, { summary: aggregator.summary(), runs });
    const parts = [...input.parts, `${name}.json`];
    const done = position === null;
    if (done) await writeWork(work, aggregatedKey(input.plan, input.piece), AggregatedPartition, { parts });
    return { ...input, parts, position: position ?? input.position, done };
  };
