import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import type { KeyRange, LedgerReader } from '../../records/ledger.store.ts';
import type { ArchivedVersions } from './archivedVersions.ts';
import { unitePages } from './unitePages.ts';

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
