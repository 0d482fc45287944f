import { coldUntil } from '../../ledger/archive/hotDays.ts';
import { archivedLedger } from '../../ledger/archive/reading/archivedLedger.ts';
import { archivedRecordVersions } from '../../ledger/archive/reading/archivedRecords.ts';
import type { ArchivedVersions } from '../../ledger/archive/reading/archivedVersions.ts';
import { type LedgerReader, ledgerReader } from '../../ledger/records/ledger.store.ts';
import { type RecordVersionStore, recordVersionStore } from '../../ledger/records/recordVersion.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';

/**
 * The versions in the archive, configured from the environment. Loaded on first use, because most invocations read no
 * cold day.
 */
export const archiveFromEnv = (): ArchivedVersions => {
  let opened: Promise<ArchivedVersions> | undefined;
  const open = (): Promise<ArchivedVersions> => {
    opened ??= import('./openArchive.ts').then(({ openArchive }) => openArchive());
    return opened;
  };
  const isCold = (time: number): boolean => time <= coldUntil(systemClock());
  return {
    isCold,
    read: async (...request) => (await open()).read(...request),
    records: async (...request) => (await open()).records(...request),
    has: async (tenantId, ulid) => isCold(timeOfUlid(ulid)) && (await open()).has(tenantId, ulid),
  };
};

/** Reads the ledger table and the archive, configured from the environment. */
export const ledgerFromEnv = (archive: ArchivedVersions): LedgerReader =>
  archivedLedger(ledgerReader(resource('table', 'ledger'), systemClock), archive);

/** Finds and corrects records of the ledger table and the archive, configured from the environment. */
export const recordVersionsFromEnv = (archive: ArchivedVersions): RecordVersionStore =>
  archivedRecordVersions(recordVersionStore(resource('table', 'ledger'), systemClock), archive, systemClock);
