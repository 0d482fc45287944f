import {
  type ArchiveManifest,
  type Day,
  draftsPrefix,
  manifestsPrefix,
  parseManifest,
  recordsPrefix,
} from '../archivedDay.ts';
import type { ArchiveObjects } from '../archiveObjects.store.ts';

/** The keys of all objects of a tenant's day, also of those that no entry names. */
export const listDay = async (
  objects: Pick<ArchiveObjects, 'list'>,
  tenantId: string,
  day: Day,
): Promise<string[]> => {
  const prefixes = [recordsPrefix, manifestsPrefix, draftsPrefix].map((prefix) => prefix(tenantId, day));
  return (await Promise.all(prefixes.map((prefix) => objects.list(prefix)))).flat();
};

/** Throws when the manifest does not exist. */
export const readManifest = async (
  objects: Pick<ArchiveObjects, 'get'>,
  key: string,
): Promise<ArchiveManifest> => {
  const body = await objects.get(key);
  if (body === null) throw new Error('a manifest of the archive does not exist');
  return parseManifest(body);
};

/** The keys of a manifest and its files. */
export const namedBy = async (objects: Pick<ArchiveObjects, 'get'>, key: string): Promise<Set<string>> =>
  new Set([key, ...(await readManifest(objects, key)).files.map((file) => file.key)]);
