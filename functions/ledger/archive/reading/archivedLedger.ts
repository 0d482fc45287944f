import { timeOfUlid, ulidTime } from '../../../platform/shared/ulid.ts';
import type { KeyRange, LedgerReader } from '../../records/ledger.store.ts';
import { partsOfPartition } from '../../records/ledgerKey.ts';
import { keyAfter } from '../../records/query/versionAsOf.ts';
import type { CountVersions } from '../../records/query/versionCount.store.ts';
import type { ArchivedVersions } from './archivedVersions.ts';
import { unitePages } from './unitePages.ts';

/** Versions per read of a count. */
const PAGE_VERSIONS = 1_500;

/** The part of a range that the table has examined, up to `last`. */
const examinedRange = (range: KeyRange, last: string | null): KeyRange => {
  if (last === null) return range;
  return range.descending ? { ...range, from: last } : { ...range, to: last };
};

/**
 * Reads the rows of the table, and of cold days also the files. The table comes first: a row leaves it only after its file
 * is in the directory, so a version is seen at least once.
 */
export const archivedLedger = (ledger: LedgerReader, archive: ArchivedVersions): LedgerReader => ({
  months: ledger.months,
  read: async (tenantId, range) => {
    const stored = await ledger.read(tenantId, range);
    const unread = examinedRange(range, stored.last);
    if (!archive.isCold(timeOfUlid(unread.from))) return stored;
    const archived = await archive.read(tenantId, unread);
    return archived.versions.length === 0 ? stored : unitePages(stored, archived, range.descending);
  },
  newest: async (tenantId, partition, ulid) => {
    const stored = await ledger.newest(tenantId, partition, ulid);
    if (!archive.isCold(timeOfUlid(ulid))) return stored;
    const newest = (await archive.records(tenantId, [ulid])).get(ulid)?.at(-1);
    if (newest === undefined) return stored;
    return stored !== null && stored.record.version > newest.validity.version ? stored : newest.attribution;
  },
});

/** Counts versions in the table, and of cold days also in the files, each once. */
export const archivedVersionCounter =
  (count: CountVersions, ledger: LedgerReader, archive: ArchivedVersions): CountVersions =>
  async (partition, period) => {
    if (!archive.isCold(period.from)) return count(partition, period);
    const { tenantId } = partsOfPartition(partition);
    const to = `${ulidTime(period.to - 1)}~`;
    let counted = 0;
    for (let from: string | null = ulidTime(period.from); from !== null; ) {
      const range = { partition, from, to, descending: false, limit: PAGE_VERSIONS };
      const { versions, last } = await ledger.read(tenantId, range);
      counted += versions.length;
      from = last === null ? null : keyAfter(last, false);
    }
    return counted;
  };
