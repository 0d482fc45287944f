import { archiveDirectory } from '../../ledger/archive/archiveDirectory.store.ts';
import { archiveReader } from '../../ledger/archive/archiveObjects.store.ts';
import { type ArchivedVersions, archivedVersions } from '../../ledger/archive/reading/archivedVersions.ts';
import type { Environment } from './provider.ts';

export const openArchive = ({ resourceOf, clock }: Environment): ArchivedVersions =>
  archivedVersions({
    directory: archiveDirectory(resourceOf('ledger.read')),
    objects: archiveReader(resourceOf('archive.read')),
    clock,
  });
