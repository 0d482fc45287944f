import { archiveDirectory } from '../../functions/ledger/archive/archiveDirectory.store.ts';
import { archiveReader } from '../../functions/ledger/archive/archiveObjects.store.ts';
import { archivedLedger } from '../../functions/ledger/archive/reading/archivedLedger.ts';
import { archivedVersions } from '../../functions/ledger/archive/reading/archivedVersions.ts';
import { type LedgerReader, ledgerReader } from '../../functions/ledger/records/ledger.store.ts';
import type { Clock } from '../../functions/platform/shared/time/clock.ts';
import type { Deployment } from './deployment.ts';

/** The records of the table and of the archive, with the operator's AWS credentials. */
export const operatorLedger = (deployment: Deployment, clock: Clock): LedgerReader => {
  const table = deployment.output('TableLedger');
  const objects = archiveReader(deployment.output('BucketArchive'));
  const archive = archivedVersions({ directory: archiveDirectory(table), objects, clock });
  return archivedLedger(ledgerReader(table, clock), archive);
};
