import { archiveDirectory } from '../../ledger/archive/archiveDirectory.store.ts';
import { archiveReader } from '../../ledger/archive/archiveObjects.store.ts';
import { type ArchivedVersions, archivedVersions } from '../../ledger/archive/reading/archivedVersions.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';

/** Opens the archive of the environment. */
export const openArchive = (): ArchivedVersions =>
  archivedVersions({
    directory: archiveDirectory(resource('table', 'ledger')),
    objects: archiveReader(resource('bucket', 'archive')),
    clock: systemClock,
  });
