import type { LedgerReader } from '../../../ledger/records/ledger.store.ts';
import { recordPartitionOf } from '../../../ledger/records/ledgerKey.ts';
import { listRecords } from '../../../ledger/records/query/listRecords.ts';
import type { RecordVersionStore } from '../../../ledger/records/recordVersion.store.ts';
import type { ObservedUseStore } from '../../../ledger/records/sameCall/observedUse.store.ts';
import { usageCompleter } from './completeUsage.ts';
import { callJoiner, type JoinStores } from './joinCalls.ts';
import { callRecognizer } from './recognizeCall.ts';

/** Most records that are searched for one call. */
const SEARCHED_MAXIMUM = 200;

/** Finds other records of the call of a record, and joins them. */
export const sameCallFinder = ({
  observed,
  corrections,
  ledger,
  clock,
  ...stores
}: Omit<JoinStores, 'recordOf'> & {
  readonly observed: ObservedUseStore;
  readonly corrections: Pick<RecordVersionStore, 'find'>;
  readonly ledger: LedgerReader;
  readonly clock: () => number;
}) => {
  const recordOf: JoinStores['recordOf'] = async (tenant, ulid) => {
    const key = { partition: recordPartitionOf(tenant, ulid), ulid };
    return (await corrections.find(tenant.tenant_id, key))?.newest.attribution ?? null;
  };
  const joiner = callJoiner({ ...stores, recordOf });
  const recognize = callRecognizer(
    {
      observed,
      clock,
      count: stores.count,
      recordsAround: async (tenant, period, lane) => {
        const { items, resume } = await listRecords(ledger, {
          tenant,
          period,
          descending: false,
          after: undefined,
          residency: lane,
          // A version starts when it was read for its correction, which may be ahead of this clock.
          asOf: Number.MAX_SAFE_INTEGER,
          limit: SEARCHED_MAXIMUM,
        });
        return resume === null ? items.map(({ attribution }) => attribution) : null;
      },
    },
    joiner,
  );
  return { join: joiner.join, recognize, completeUsage: usageCompleter({ ...stores, recordOf }) };
};
export type SameCallFinder = ReturnType<typeof sameCallFinder>;
