import { DAY_MS } from '../../../../schemas/durations.ts';
import { monthOf } from '../../../platform/shared/time/month.ts';
import { ulidTime } from '../../../platform/shared/ulid.ts';
import type { LedgerReader } from '../../records/ledger.store.ts';
import { ROW_MILLISECONDS } from '../../records/ledgerItem.ts';
import { partitionsOfMonth } from '../../records/ledgerKey.ts';
import type { ScanPosition } from '../../records/query/scanRecords.ts';
import { keyAfter } from '../../records/query/versionAsOf.ts';
import { type Day, startOfDay } from '../archivedDay.ts';
import { KEEP_BEFORE_MS } from '../hotDays.ts';
import type { ArchivedVersions } from '../reading/archivedVersions.ts';
import type { ExtendExpiry } from './rowExpiry.store.ts';

/** Versions per read. At about 600 bytes each they fit into DynamoDB's limit of 1 MB per query. */
const PAGE_VERSIONS = 1_500;

export interface KeepStores {
  /** The rows of the table only. */
  readonly rows: LedgerReader;
  readonly archive: Pick<ArchivedVersions, 'read'>;
  readonly extendExpiry: ExtendExpiry;
}

export interface KeptRows {
  readonly examined: number;
  /** Where the next call starts. Null at the end of the day. */
  readonly next: ScanPosition | null;
}

/**
 * Extends the expiry of rows of a day that would soon leave the table and are in no file of the directory. So a day that
 * cannot be closed loses nothing, however long that lasts. Idempotent. One call examines at least `rowsMaximum` rows, if
 * there are that many. `now` is in epoch milliseconds.
 */
export const keepRows = async (
  { rows, archive, extendExpiry }: KeepStores,
  request: {
    readonly tenantId: string;
    readonly day: Day;
    readonly position: ScanPosition;
    readonly now: number;
    readonly rowsMaximum: number;
  },
): Promise<KeptRows> => {
  const { tenantId, day, position, now, rowsMaximum } = request;
  const start = startOfDay(day);
  const to = `${ulidTime(start + DAY_MS - 1)}~`;
  const expiresSoon = {
    expression: '#ttl < :soon',
    names: { '#ttl': 'ttl' },
    values: { ':soon': { text: String(Math.ceil((now + KEEP_BEFORE_MS) / 1_000)), number: true } },
  };
  const months = await rows.months(tenantId);
  const partitions = months
    .filter(({ month }) => month === monthOf(start))
    .flatMap((month) => partitionsOfMonth({ tenant_id: tenantId }, month));
  let total = 0;
  for (const [shard, partition] of partitions.entries()) {
    if (shard < position.shard) continue;
    let from: string | null = (shard === position.shard ? position.after : null) ?? ulidTime(start);
    while (from !== null) {
      if (total >= rowsMaximum) return { examined: total, next: { shard, after: from } };
      const range = { partition, from, to, descending: false, limit: PAGE_VERSIONS };
      const {
        versions,
        last,
        examined = 0,
      } = await rows.read(tenantId, { ...range, condition: expiresSoon });
      const [first, final] = [versions[0], versions.at(-1)];
      if (first !== undefined && final !== undefined) {
        const read = { ...range, from: first.key, to: final.key, limit: Number.POSITIVE_INFINITY };
        const archived = await archive.read(tenantId, read);
        const inFiles = new Set(archived.versions.map(({ key }) => key));
        const missing = versions.map(({ key }) => key).filter((key) => !inFiles.has(key));
        await extendExpiry(partition, missing, now + ROW_MILLISECONDS);
      }
      total += examined;
      from = last === null ? null : keyAfter(last, false);
    }
  }
  return { examined: total, next: null };
};
