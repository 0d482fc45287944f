import { indexCohorts, StoredCohortIndex } from '../../../ledger/cohorts/cohortIndex.ts';
import { readCohorts } from '../../../ledger/cohorts/readCohorts.ts';
import type { RollupReader } from '../../../ledger/rollups/rollup.store.ts';
import {
  type Month,
  monthsBetween,
  startOfMonth,
  startOfNextMonth,
} from '../../../platform/shared/time/month.ts';
import { type RecordCohorts, recordCohorts } from '../aggregation/recordCohorts.ts';
import type { WorkStore } from '../files/file.store.ts';
import { exportPeriodOf } from '../request/exportLimits.ts';
import { type ExecutionPlan, readWork, writeWork } from './workDocuments.ts';

const cohortsKey = (planKey: string, month: Month): string => `${planKey}.cohorts-${month}`;

/**
 * Stores the cohorts of each month of an export of records. All partitions name their records by this one state of the
 * totals: by two states they could name a part of a cohort only.
 */
export const writeCohorts = async (
  rollups: RollupReader,
  work: WorkStore,
  planKey: string,
  { job, tenant }: ExecutionPlan,
): Promise<void> => {
  const { from, to } = exportPeriodOf(job.request);
  for (const month of monthsBetween(from, to - 1)) {
    const period = { from: Math.max(from, startOfMonth(month)), to: Math.min(to, startOfNextMonth(month)) };
    const { cohorts } = await readCohorts(rollups, tenant.tenant_id, period);
    const index = indexCohorts(cohorts, period, job.residency);
    await writeWork(work, cohortsKey(planKey, month), StoredCohortIndex, index);
  }
};

/** The cohorts of a month, as the export began. */
export const openCohorts = async (
  work: WorkStore,
  planKey: string,
  { tenant, namedUntil }: ExecutionPlan,
  month: Month,
): Promise<RecordCohorts> => {
  const index = await readWork(work, cohortsKey(planKey, month), StoredCohortIndex);
  return recordCohorts(index, tenant.cost_allocation_tags, namedUntil);
};
