import { type CohortIndex, findCohort, type ShownCohort } from '../../../ledger/cohorts/cohortIndex.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { dimensionsOf } from '../../../ledger/rollups/rollup.ts';
import type { CostAllocationTags } from '../../../platform/tenancy/costAllocationTags.ts';

/** Decides the labels under which an export names the records of a month: those under which reports show them. */
export interface RecordCohorts {
  /** The cohort in which reports count a version of a record, written at an instant (epoch milliseconds). */
  readonly cohortOf: (attribution: Attribution, writtenAt: number) => ShownCohort | null;
}

/**
 * `summedUntil` is the instant up to which versions are in the totals; null: all are. A later version can belong to a person
 * whom the cohorts do not count yet, so it has no cohort.
 */
export const recordCohorts = (
  index: CohortIndex,
  costAllocation: CostAllocationTags,
  summedUntil: number | null,
): RecordCohorts => {
  const tags = { watched: new Set<string>(), costAllocation };
  return {
    cohortOf: ({ record }, writtenAt) =>
      summedUntil === null || writtenAt < summedUntil
        ? findCohort(index, dimensionsOf(record, tags), Date.parse(record.occurred_at))
        : null,
  };
};
