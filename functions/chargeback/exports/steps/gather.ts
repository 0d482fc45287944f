import * as z from 'zod';
import type { NodeHourLineReader } from '../../../attribution/allocation/nodeHours/nodeHourLine.store.ts';
import type { LedgerReader } from '../../../ledger/records/ledger.store.ts';
import { ScanPosition, scanMonth } from '../../../ledger/records/query/scanRecords.ts';
import { isRecorded, writtenAt } from '../../../ledger/records/query/visibility.ts';
import type { RollupReader } from '../../../ledger/rollups/rollup.store.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { Aggregator, type Summary } from '../aggregation/aggregator.ts';
import { nodeHoursFor } from '../books/bookPart.ts';
import { correctionGrain, correctionLine, correctionSummary } from '../books/corrections.ts';
import type { WorkStore } from '../files/file.store.ts';
import { withDatabase } from '../lines/database.ts';
import { createLineTable } from '../lines/lineTable.ts';
import { storeLines } from '../lines/storedLines.ts';
import { openCohorts } from './cohortDocuments.ts';
import { gatherCohorts } from './gatherCohorts.ts';
import {
  AggregatedPartition,
  aggregatedKey,
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

/**
 * Aggregates a partition into lines and a summary: of the ledger as of the export's instant, or of the rollups when the export
 * is made from cohorts, which takes one call. Stops after `slice` and returns the position at which the next call resumes.
 * Each call writes under a unique key and only returns that key, so the output of a call that crashed or timed out is never
 * read. Throws a RangeError when the plan has no such partition.
 */
export const gather =
  (deps: {
    readonly ledger: LedgerReader;
    readonly rollups: RollupReader;
    readonly nodeHourLines: NodeHourLineReader;
    readonly work: WorkStore;
    readonly clock: Clock;
    readonly attempt: () => string;
    /** Time limit of a call, in milliseconds. */
    readonly slice: number;
    readonly pageVersions?: number;
  }) =>
  (input: GatherInput): Promise<GatherOutput> =>
    withDatabase(async (database) => {
      const { ledger, rollups, nodeHourLines, work, clock, attempt, slice, pageVersions } = deps;
      const until = clock() + slice;
      const plan = await readWork(work, input.plan, ExecutionPlan);
      const partition = plan.partitions[input.partition];
      if (partition === undefined) throw new RangeError(`The export has no partition ${input.partition}.`);
      const name = `${workPrefix(plan)}/partition-${input.partition}/${attempt()}`;
      const table = await createLineTable(database);

      const finish = async (summary: Summary, position: ScanPosition | null): Promise<GatherOutput> => {
        table.end();
        const lines = await storeLines(database, work, `${name}.parquet`);
        await writeWork(work, `${name}.json`, PartialAggregate, { summary, lines });
        const parts = [...input.parts, `${name}.json`];
        const done = position === null;
        if (done)
          await writeWork(work, aggregatedKey(input.plan, input.partition), AggregatedPartition, { parts });
        return { ...input, parts, position: position ?? input.position, done };
      };

      if (plan.job.basis === 'cohorts') {
        const { lines, summary } = await gatherCohorts(rollups, plan, partition);
        for (const line of lines) table.add(line);
        return finish(summary, null);
      }

      const { book } = partition;
      const asOf = book?.asOf ?? Date.parse(plan.job.as_of);
      const { grain, admission } = outputPlanOf(plan);
      const cohorts = await openCohorts(work, input.plan, plan, partition);
      const sign = book?.correction?.sign;
      const aggregator =
        sign === undefined
          ? new Aggregator(grain, admission, cohorts, table.add)
          : new Aggregator(correctionGrain(grain), admission, cohorts, (line) =>
              table.add(correctionLine(line, partition.month, sign)),
            );
      let position: ScanPosition | null = input.position;
      for await (const { items, resume } of scanMonth(ledger, {
        tenant: plan.tenant,
        month: book?.month ?? partition.month,
        period: partition,
        position,
        asOf,
        pageVersions,
      })) {
        for (const { validity, attribution } of items) {
          // A scan also returns first versions written while it runs. An export only shows versions up to its instant.
          if (isRecorded(validity, attribution.storedEvent, asOf))
            aggregator.add(attribution, writtenAt(validity, attribution.storedEvent));
        }
        position = resume;
        if (clock() >= until) break;
      }
      // An export of one lane has no nodes: their cost is that of all lanes.
      if (position === null && plan.job.residency === null)
        aggregator.addIdle(
          await nodeHourLines.list(nodeHoursFor(plan.tenant.tenant_id, book?.copy), partition),
        );
      const summary = aggregator.summary();
      return finish(
        book === undefined || sign === undefined ? summary : correctionSummary(summary, book.month, sign),
        position,
      );
    });
