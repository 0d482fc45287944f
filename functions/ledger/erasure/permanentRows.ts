import type { TableName } from '../../../schemas/platform/tables.ts';
import { archivePartitionOf } from '../archive/archiveDirectory.store.ts';
import { directoryPartitionOf } from '../records/ledgerKey.ts';
import { openPeriodPartitionOf } from '../rollups/openPeriod.store.ts';

/**
 * Partitions whose rows workers and proofs take for permanent. A warm worker that has written such a row does not write it again:
 * without it, readers find no records of a month, or no totals of a period. So whatever deletes rows of a tenant that goes on
 * (a restore, the reset of a sandbox) leaves them. Where there is nothing, they lead to nothing.
 */
export const permanentPartitions: Partial<Record<TableName, (tenantId: string) => string>> = {
  ledger: directoryPartitionOf,
  rollups: openPeriodPartitionOf,
};

/**
 * Partitions that a restore leaves as they are: the permanent ones, and the entries of closed days. Those name files, which are
 * not restored: an older entry would name deleted files. A day whose records change is written again.
 */
export const isKeptByRestore = (table: TableName, partition: string): boolean => {
  const [tenantId = ''] = partition.split('#');
  return (
    partition === permanentPartitions[table]?.(tenantId) ||
    (table === 'ledger' && partition === archivePartitionOf(tenantId))
  );
};
