import type { Clock } from '../../../platform/shared/time/clock.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Attribution } from '../../records/attribution.ts';
import type { ArchiveDirectoryWriter } from '../archiveDirectory.store.ts';
import {
  type ArchivedDay,
  type ArchiveFile,
  type ArchiveManifest,
  type ArchiveTotals,
  manifestsPrefix,
  recordsPrefix,
} from '../archivedDay.ts';
import { type ArchiveFiles, archiveFiles } from '../archiveFiles.ts';
import type { ArchiveObjects } from '../archiveObjects.store.ts';
import { addTotals, noTotals } from '../archiveTotals.ts';
import { listDay, readManifest } from '../closing/dayObjects.ts';
import { fileCollector } from '../closing/fileCollector.ts';

/** What becomes of a version: itself when nothing is erased, another one, or null to delete it. */
export type Erase = (attribution: Attribution) => Attribution | null;

/** Sorts before every day. */
const FIRST_DAY = '0000-00-00';

interface ErasedFile {
  /** Null when no version is left. */
  readonly file: ArchiveFile | null;
  readonly totals: ArchiveTotals;
  readonly erased: number;
}

/**
 * Erases versions from the archive of a tenant, for example those of a person. Each day with such versions is written again
 * without them, and its old files are deleted. Returns the number of erased versions. Erase them in the ledger first:
 * otherwise a day that is closed again brings them back. A call that is repeated after a crash completes the rest.
 */
export const eraseFromArchive = async (
  stores: {
    readonly objects: ArchiveObjects;
    readonly directory: ArchiveDirectoryWriter;
    readonly clock: Clock;
    readonly newId: () => string;
  },
  tenantId: string,
  erase: Erase,
): Promise<number> => {
  const { objects, directory, clock, newId } = stores;

  const eraseFile = async (files: ArchiveFiles, day: string, file: ArchiveFile): Promise<ErasedFile> => {
    const collector = fileCollector();
    let erased = 0;
    for (const { shard } of file.ids) {
      for (const group of await files.groups(file, shard)) {
        for (const row of await files.rows(file, group, tenantId)) {
          const before = row.read();
          const after = erase(before);
          if (after !== before) erased += 1;
          if (after !== null) collector.add(after, shard);
        }
      }
      collector.endGroup(shard);
    }
    const { bytes, rows, ids, totals } = collector.end();
    if (erased === 0) return { file, totals, erased };
    if (rows === 0) return { file: null, totals, erased };
    const key = `${recordsPrefix(tenantId, day)}${newId()}.parquet`;
    await objects.put(key, bytes);
    return { file: { key, rows, bytes: bytes.length, ids }, totals, erased };
  };

  const eraseDay = async ({ day }: ArchivedDay): Promise<number> => {
    const listed = await listDay(objects, tenantId, day);
    const current = await directory.read(tenantId, day);
    if (current === null) return 0;
    const manifest = await readManifest(objects, current.document.manifest);
    const files: ArchiveFile[] = [];
    let [totals, erased] = [noTotals, 0];
    for (const one of manifest.files) {
      const result = await eraseFile(archiveFiles(objects), day, one);
      if (result.file !== null) files.push(result.file);
      totals = addTotals(totals, result.totals);
      erased += result.erased;
    }
    const named = new Set([...files.map(({ key }) => key), current.document.manifest]);
    if (erased > 0) {
      const key = `${manifestsPrefix(tenantId, day)}${newId()}.json`;
      const next: ArchiveManifest = { tenant_id: tenantId, day, written_at: toIso(clock()), totals, files };
      await objects.put(key, JSON.stringify(next));
      const by = { claim: newId(), attempt: 1 };
      const { versions, digest } = totals;
      const entry = { day, manifest: key, versions, digest };
      if (!(await directory.put(tenantId, entry, current.revision, by)))
        throw new Error('the day was closed again while it was erased');
      named.delete(current.document.manifest);
    }
    // Also deletes what attempts that failed have left.
    await objects.delete(listed.filter((key) => !named.has(key)));
    return erased;
  };

  let erased = 0;
  for (const day of await directory.list(tenantId, FIRST_DAY)) erased += await eraseDay(day);
  return erased;
};
