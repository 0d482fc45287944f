import { archivedLedger } from '../../ledger/archive/reading/archivedLedger.ts';
import {
  archivedRecordVersions,
  archivedVersionBatch,
} from '../../ledger/archive/reading/archivedRecords.ts';
import { ledgerReader } from '../../ledger/records/ledger.store.ts';
import { versionBatchReader } from '../../ledger/records/query/versionBatch.store.ts';
import { recordVersionStore } from '../../ledger/records/recordVersion.store.ts';
import { sortIndexReader } from '../../ledger/records/sortIndex/sortIndexReader.store.ts';
import { archiveIn } from './archive.ts';
import type { Environment } from './provider.ts';

/** Records of the table and of the archive. */
export const ledgerRead = (table: string, environment: Environment) => ({
  ledger: archivedLedger(ledgerReader(table, environment.clock), archiveIn(environment)),
});
export const ledgerSort = (table: string, environment: Environment) => ({
  sortIndex: sortIndexReader(table),
  versions: archivedVersionBatch(versionBatchReader(table, environment.clock), archiveIn(environment)),
});
/** Finds and corrects records of the table and of the archive. */
export const ledgerCorrect = (table: string, environment: Environment) => ({
  corrections: archivedRecordVersions(
    recordVersionStore(table, environment.clock),
    archiveIn(environment),
    environment.clock,
  ),
});
