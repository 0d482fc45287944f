import { DAY_MS } from '../../../../schemas/durations.ts';
import { monthOf } from '../../../platform/shared/time/month.ts';
import { ulidTime } from '../../../platform/shared/ulid.ts';
import type { LedgerReader } from '../../records/ledger.store.ts';
import { partitionsOfMonth } from '../../records/ledgerKey.ts';
import { PAGE_VERSIONS, type ScanPosition } from '../../records/query/scanRecords.ts';
import { keyAfter } from '../../records/query/versionAsOf.ts';
import { type ArchiveFile, type ArchiveTotals, type Day, startOfDay } from '../archivedDay.ts';
import { GROUP_ROWS } from '../files/writeArchiveFile.ts';
import { fileCollector } from './fileCollector.ts';

/** Rows of a file: 26 MB, and a footer of 200 KB that a read of one record fetches. */
const FILE_ROWS = 64 * GROUP_ROWS;

export interface DayFile {
  readonly bytes: Uint8Array;
  readonly rows: number;
  readonly ids: ArchiveFile['ids'];
  readonly totals: ArchiveTotals;
  /** Where the next file starts. Null at the end of the day. */
  readonly next: ScanPosition | null;
}

/**
 * Writes the next file of a tenant's day, with all versions of its records: at most {@link FILE_ROWS} rows, and the rest of
 * the last record. Row groups hold rows of one shard each.
 */
export const writeDayFile = async (
  ledger: LedgerReader,
  request: {
    readonly tenantId: string;
    readonly day: Day;
    readonly position: ScanPosition;
    readonly fileRows?: number | undefined;
  },
): Promise<DayFile> => {
  const { tenantId, day, position, fileRows = FILE_ROWS } = request;
  const start = startOfDay(day);
  const to = `${ulidTime(start + DAY_MS - 1)}~`;
  const months = await ledger.months(tenantId);
  const partitions = months
    .filter(({ month }) => month === monthOf(start))
    .flatMap((month) => partitionsOfMonth({ tenant_id: tenantId }, month));
  const collector = fileCollector();
  for (const [shard, partition] of partitions.entries()) {
    if (shard < position.shard) continue;
    let from: string | null = (shard === position.shard ? position.after : null) ?? ulidTime(start);
    while (from !== null) {
      const range = { partition, from, to, descending: false, limit: PAGE_VERSIONS };
      const { versions, last } = await ledger.read(tenantId, range);
      for (const version of versions) {
        const { attribution, key } = version;
        if (collector.startsRecord(attribution)) {
          collector.endRecord();
          if (collector.rows() >= fileRows) {
            collector.endGroup(shard);
            return { ...collector.end(), next: { shard, after: key } };
          }
        }
        collector.add(attribution, shard);
      }
      from = last === null ? null : keyAfter(last, false);
    }
    collector.endGroup(shard);
  }
  return { ...collector.end(), next: null };
};
