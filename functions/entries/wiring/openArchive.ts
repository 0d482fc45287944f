import { archiveDirectory } from '../../archive/archiveDirectory.store.ts';
import { archiveReader } from '../../archive/archiveObjects.store.ts';
import { type ArchivedVersions, archivedVersions } from '../../archive/reading/archivedVersions.ts';
import { resource } from '../../shared/settings.ts';
import { systemClock } from '../../shared/time/clock.ts';

/** Opens the archive of the environment. */
export const openArchive = (): ArchivedVersions =>
  archivedVersions({
    directory: archiveDirectory(resource('table', 'ledger')),
    objects: archiveReader(resource('bucket', 'archive')),
    clock: systemClock,
  });
