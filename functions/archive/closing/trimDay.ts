import type { LedgerReader } from '../../ledger/ledger.store.ts';
import { partitionsOfMonth } from '../../ledger/ledgerKey.ts';
import type { ScanPosition } from '../../ledger/query/scanRecords.ts';
import { keyAfter } from '../../ledger/query/versionAsOf.ts';
import { batchDelete } from '../../shared/aws/batchDelete.store.ts';
import { DAY_MS } from '../../shared/time/durations.ts';
import { monthOf } from '../../shared/time/month.ts';
import { ulidTime } from '../../shared/ulid.ts';
import { type Day, startOfDay } from '../archivedDay.ts';
import type { ArchivedVersions } from '../reading/archivedVersions.ts';

/** Versions per read. At about 600 bytes each they fit into DynamoDB's limit of 1 MB per query. */
const PAGE_VERSIONS = 1_500;

/** Deletes versions of a ledger partition by their sort keys. */
export type DeleteRows = (partition: string, keys: readonly string[]) => Promise<void>;

export const rowDeleter =
  (table: string): DeleteRows =>
  (partition, keys) =>
    batchDelete(
      table,
      keys.map((key) => ({ pk: { S: partition }, sk: { S: key } })),
    );

export interface TrimStores {
  /** The rows of the table only. */
  readonly rows: LedgerReader;
  readonly archive: Pick<ArchivedVersions, 'read'>;
  readonly deleteRows: DeleteRows;
}

export interface TrimmedRows {
  readonly deleted: number;
  /** Rows that stay: they are too new, or in no file. */
  readonly kept: number;
  /** Where the next call starts. Null at the end of the day. */
  readonly next: ScanPosition | null;
}

/**
 * Deletes rows of a day that its files hold, and that started before an instant (epoch milliseconds). A row whose key is in
 * no file of the directory always stays, so a failed or late job loses nothing. Idempotent. One call examines at least
 * `rowsMaximum` rows, if there are that many.
 */
export const trimDay = async (
  { rows, archive, deleteRows }: TrimStores,
  request: {
    readonly tenantId: string;
    readonly day: Day;
    readonly position: ScanPosition;
    readonly before: number;
    readonly rowsMaximum: number;
  },
): Promise<TrimmedRows> => {
  const { tenantId, day, position, before, rowsMaximum } = request;
  const start = startOfDay(day);
  const to = `${ulidTime(start + DAY_MS - 1)}~`;
  const months = await rows.months(tenantId);
  const partitions = months
    .filter(({ month }) => month === monthOf(start))
    .flatMap((month) => partitionsOfMonth({ tenant_id: tenantId }, month));
  let [deleted, kept] = [0, 0];
  for (const [shard, partition] of partitions.entries()) {
    if (shard < position.shard) continue;
    let from: string | null = (shard === position.shard ? position.after : null) ?? ulidTime(start);
    while (from !== null) {
      if (deleted + kept >= rowsMaximum) return { deleted, kept, next: { shard, after: from } };
      const range = { partition, from, to, descending: false, limit: PAGE_VERSIONS };
      const { versions, last } = await rows.read(tenantId, range);
      const [first, final] = [versions[0], versions.at(-1)];
      if (first !== undefined && final !== undefined) {
        const examined = { ...range, from: first.key, to: final.key, limit: Number.POSITIVE_INFINITY };
        const archived = await archive.read(tenantId, examined);
        const inFiles = new Set(archived.versions.map(({ key }) => key));
        const old = versions.filter(({ key, validity }) => validity.from <= before && inFiles.has(key));
        await deleteRows(
          partition,
          old.map(({ key }) => key),
        );
        deleted += old.length;
        kept += versions.length - old.length;
      }
      from = last === null ? null : keyAfter(last, false);
    }
  }
  return { deleted, kept, next: null };
};
