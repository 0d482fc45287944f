import type { ArchiveDirectoryWriter } from '../archiveDirectory.store.ts';
import { draftsPrefix, manifestsPrefix, recordsPrefix } from '../archivedDay.ts';
import type { ArchiveObjects } from '../archiveObjects.store.ts';

/** Sorts before every day. */
const FIRST_DAY = '0000-00-00';

/**
 * Deletes the archive of a tenant: first the entries, so that no reader looks for the files. Returns the number of deleted
 * objects. Repeat it until it returns 0, after the ledger and the jobs of the tenant are deleted: a job that still runs
 * may write another file.
 */
export const eraseTenantFromArchive = async (
  stores: { readonly objects: ArchiveObjects; readonly directory: ArchiveDirectoryWriter },
  tenantId: string,
): Promise<number> => {
  const { objects, directory } = stores;
  for (const { day } of await directory.list(tenantId, FIRST_DAY)) await directory.remove(tenantId, day);
  let deleted = 0;
  for (const prefix of [recordsPrefix, manifestsPrefix, draftsPrefix]) {
    const keys = await objects.list(prefix(tenantId));
    await objects.delete(keys);
    deleted += keys.length;
  }
  return deleted;
};
