import type { RecordCohorts } from '../../../functions/chargeback/exports/aggregation/recordCohorts.ts';
import { labelsOf } from '../../../functions/ledger/cohorts/cell.ts';
import {
  type CohortIndex,
  indexCohorts,
  type ShownCohort,
  StoredCohortIndex,
} from '../../../functions/ledger/cohorts/cohortIndex.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { startOf } from '../../../functions/ledger/rollups/grain.ts';
import type { RollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { dimensionsOf, groupOf } from '../../../functions/ledger/rollups/rollup.ts';
import type { Interval } from '../../../functions/platform/shared/time/interval.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import { rollupReaderOfGroups } from '../../insight/reports/calls.ts';

/** The cost allocation tags of the tenant. */
export const TAGS = [{ from: '0001-01-01', keys: ['env'] }];
const GROUPING = { watched: new Set<string>(), costAllocation: TAGS };

/** The totals of records. */
export const rollupsOfRecords = (records: readonly Attribution[]): RollupReader =>
  rollupReaderOfGroups(
    records.map((record) => ({
      at: Date.parse(record.record.occurred_at),
      group: groupOf(record, GROUPING),
    })),
  );

/** The cohorts of totals as an export of a period within one month stores and reads them. */
export const shownCohortsOf = async (
  reader: RollupReader,
  period: Interval,
  lane: string | null = null,
): Promise<CohortIndex> => {
  const { cohorts } = await readCohorts(reader, 'acme', period);
  const stored = JSON.stringify(StoredCohortIndex.encode(indexCohorts(cohorts, period, lane)));
  return StoredCohortIndex.parse(JSON.parse(stored));
};

/** A cohort of the day of a record that shows all of its labels. */
export const ownCohort = ({ record }: Attribution): ShownCohort => ({
  id: record.id,
  at: startOf('day', Date.parse(record.occurred_at)),
  length: DAY_MS,
  labels: labelsOf(dimensionsOf(record, GROUPING)),
});

/** Shows all labels of every record. */
export const everyLabel: RecordCohorts = { cohortOf: ownCohort };
