import { intervalOf } from '../../../insight/periods/monthCopies.ts';
import { indexCohorts, StoredCohortIndex } from '../../../ledger/cohorts/cohortIndex.ts';
import { readCohorts } from '../../../ledger/cohorts/readCohorts.ts';
import type { RollupReader } from '../../../ledger/rollups/rollup.store.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import {
  type Month,
  monthsBetween,
  startOfMonth,
  startOfNextMonth,
} from '../../../platform/shared/time/month.ts';
import { type RecordCohorts, recordCohorts } from '../aggregation/recordCohorts.ts';
import { totalsFor } from '../books/bookPart.ts';
import { sharedLabels } from '../books/sharedLabels.ts';
import type { WorkStore } from '../files/file.store.ts';
import { exportPeriodOf } from '../request/exportLimits.ts';
import { type ExecutionPlan, readWork, writeWork } from './workDocuments.ts';

const cohortsKey = (planKey: string, month: Month): string => `${planKey}.cohorts-${month}`;
/** The cohorts of a state of a month that is corrected. */
const correctedKey = (planKey: string, month: Month, copy: string | null): string =>
  `${planKey}.corrected-${month}-${copy ?? 'today'}`;

/** The states of corrected months that partitions read. */
const correctedStates = (partitions: ExecutionPlan['partitions']) => [
  ...new Map(
    partitions.flatMap(({ book }) =>
      book?.correction == null ? [] : [[`${book.month} ${book.copy}`, book] as const],
    ),
  ).values(),
];

/**
 * Stores the cohorts of each month of an export of records. All partitions name their records by this one state of the
 * totals: by two states they could name a part of a cohort only.
 */
export const writeCohorts = async (
  rollups: RollupReader,
  work: WorkStore,
  planKey: string,
  { job, tenant, partitions }: ExecutionPlan,
): Promise<void> => {
  const { from, to } = exportPeriodOf(job.request);
  const writeIndex = async (
    key: string,
    copy: string | null | undefined,
    period: Interval,
  ): Promise<void> => {
    const { cohorts } = await readCohorts(totalsFor(rollups, copy), tenant.tenant_id, period);
    await writeWork(work, key, StoredCohortIndex, indexCohorts(cohorts, period, job.residency));
  };
  for (const month of monthsBetween(from, to - 1)) {
    const period = { from: Math.max(from, startOfMonth(month)), to: Math.min(to, startOfNextMonth(month)) };
    const book = partitions.find(
      (partition) => partition.book?.correction === null && partition.month === month,
    );
    await writeIndex(cohortsKey(planKey, month), book?.book?.copy, period);
  }
  for (const { month, copy } of correctedStates(partitions))
    await writeIndex(correctedKey(planKey, month, copy), copy, intervalOf(month));
};

/** The cohorts of the month of a partition: as the export began, as a close fixed them, or as a correction names them. */
export const openCohorts = async (
  work: WorkStore,
  planKey: string,
  { tenant, namedUntil }: ExecutionPlan,
  { month, book }: ExecutionPlan['partitions'][number],
): Promise<RecordCohorts> => {
  const read = (key: string) => readWork(work, key, StoredCohortIndex);
  const tags = tenant.cost_allocation_tags;
  const correction = book?.correction;
  if (book === undefined || correction == null) {
    const index = await read(cohortsKey(planKey, month));
    return recordCohorts(index, tags, book === undefined ? namedUntil : null);
  }
  const [own, other] = await Promise.all(
    [book.copy, correction.other].map((copy) => read(correctedKey(planKey, book.month, copy))),
  );
  const { cohortOf } = recordCohorts(own ?? new Map(), tags, book.copy === null ? namedUntil : null);
  const shared = sharedLabels(other ?? new Map());
  return { cohortOf: (attribution, writtenAt) => shared(cohortOf(attribution, writtenAt)) };
};
