import { archiveDirectory } from '../../functions/ledger/archive/archiveDirectory.store.ts';
import { archiveReader } from '../../functions/ledger/archive/archiveObjects.store.ts';
import { archivedLedger } from '../../functions/ledger/archive/reading/archivedLedger.ts';
import {
  type ArchivedVersions,
  archivedVersions,
} from '../../functions/ledger/archive/reading/archivedVersions.ts';
import { type LedgerReader, ledgerReader } from '../../functions/ledger/records/ledger.store.ts';
import type { Clock } from '../../functions/platform/shared/time/clock.ts';
import type { Deployment } from './deployment.ts';

/** The files of closed days, with the operator's AWS credentials. */
export const operatorArchive = (deployment: Deployment, clock: Clock): ArchivedVersions => {
  const objects = archiveReader(deployment.output('BucketArchive'));
  return archivedVersions({ directory: archiveDirectory(deployment.output('TableLedger')), objects, clock });
};

/** The records of the table and of the archive, with the operator's AWS credentials. */
export const operatorLedger = (deployment: Deployment, clock: Clock): LedgerReader =>
  archivedLedger(ledgerReader(deployment.output('TableLedger'), clock), operatorArchive(deployment, clock));
