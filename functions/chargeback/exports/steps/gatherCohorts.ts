import { DAY_MS } from '../../../../schemas/durations.ts';
import { readCohorts } from '../../../ledger/cohorts/readCohorts.ts';
import { selectVisible } from '../../../ledger/cohorts/selectVisible.ts';
import { hoursIn, startOf } from '../../../ledger/rollups/grain.ts';
import type { RollupReader } from '../../../ledger/rollups/rollup.store.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { monthsBetween, startOfMonth, startOfNextMonth } from '../../../platform/shared/time/month.ts';
import { aggregateCohorts } from '../aggregation/cohortLines.ts';
import { totalsFor } from '../books/bookPart.ts';
import { correctionGrain, correctionLine, correctionSummary, withoutNames } from '../books/corrections.ts';
import type { Grain } from '../focus/shownDimensions.ts';
import type { TimePartition } from './partitions.ts';
import { type ExecutionPlan, outputPlanOf } from './workDocuments.ts';

/** Days of one partition. They may be read by the hour, which takes memory. */
const PARTITION_DAYS = 8;

/** Splits a period into partitions of whole days within one month. The first and the last may start within a day. */
export const planCohortPartitions = ({ from, to }: Interval): TimePartition[] => {
  return monthsBetween(from, to - 1).flatMap((month) => {
    const end = Math.min(to, startOfNextMonth(month));
    const partitions: TimePartition[] = [];
    let start = Math.max(from, startOfMonth(month));
    do {
      const next = Math.max(start, Math.min(end, startOf('day', start) + PARTITION_DAYS * DAY_MS));
      partitions.push({ month, from: start, to: next });
      start = next;
    } while (start < end);
    return partitions;
  });
};

/** The sums of a closed month are those of days. */
const dailyGrain = (grain: Grain): Grain =>
  grain.granularity === 'hour' ? { ...grain, granularity: 'day' } : grain;

/** Aggregates the cohorts that are counted in a partition. */
export const gatherCohorts = async (
  reader: RollupReader,
  plan: ExecutionPlan,
  { month, from, to, book }: ExecutionPlan['partitions'][number],
) => {
  const { grain, admission } = outputPlanOf(plan);
  // A closed month has sums of days.
  const ends = grain.granularity === 'hour' && book === undefined ? hoursIn({ from, to }) : [];
  const totals = totalsFor(reader, book?.copy);
  const { cohorts } = await readCohorts(totals, plan.tenant.tenant_id, { from, to }, ends);
  const shown = selectVisible(cohorts, { from, to }, admission.lane).shown;
  const correction = book?.correction;
  if (book === undefined || correction == null)
    return aggregateCohorts(shown, book === undefined ? grain : dailyGrain(grain));
  const { lines, summary } = aggregateCohorts(shown, correctionGrain(grain));
  return {
    lines: lines.map((line) => correctionLine(withoutNames(line, grain), month, correction.sign)),
    summary: correctionSummary(summary, book.month, correction.sign),
  };
};
