import { memoizeAsync } from '../../platform/shared/caches/memoizeAsync.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { shardOfRecord } from '../records/ledgerKey.ts';
import type { ArchiveFile } from './archivedDay.ts';
import { ArchiveFileReplaced } from './archiveFileReplaced.ts';
import type { ArchiveReader } from './archiveObjects.store.ts';
import {
  type ArchivedRow,
  type ArchiveFooter,
  type RowGroup,
  readFooter,
  readGroup,
} from './files/readArchiveFile.ts';

/** Bytes at the end of a file that are read first: its footer, and all of a small file. */
const TAIL_BYTES = 256 * 1_024;
/** Footers and row groups that a process remembers: about 60 MB. Files never change, so none is ever wrong. */
const FOOTERS_CAPACITY = 64;
const GROUPS_CAPACITY = 16;

interface OpenFile extends ArchiveFooter {
  readonly tail: Uint8Array;
  readonly tailStart: number;
}

/** Reads footers and row groups of the archive: one ranged read for each that is not remembered. */
export interface ArchiveFiles {
  /** The row groups of a shard of the ledger, in the order of their ids. */
  readonly groups: (file: ArchiveFile, shard: number) => Promise<readonly RowGroup[]>;
  readonly rows: (file: ArchiveFile, group: RowGroup, tenantId: string) => Promise<readonly ArchivedRow[]>;
}

export const archiveFiles = (objects: ArchiveReader): ArchiveFiles => {
  const open = memoizeAsync<OpenFile>(FOOTERS_CAPACITY);
  const decoded = memoizeAsync<readonly ArchivedRow[]>(GROUPS_CAPACITY);

  const range = async (key: string, start: number, end: number): Promise<Uint8Array> => {
    const bytes = await objects.getRange(key, start, end);
    if (bytes === null) throw new ArchiveFileReplaced(`the archive has no file ${key}`);
    return bytes;
  };

  const openFile = async ({ key, bytes: size }: ArchiveFile): Promise<OpenFile> => {
    for (let length = Math.min(TAIL_BYTES, size); ; length = size) {
      const tail = await range(key, size - length, size);
      const footer = readFooter(tail, size);
      if (footer !== null) return { ...footer, tail, tailStart: size - length };
    }
  };
  const fileOf = (file: ArchiveFile): Promise<OpenFile> => open(file.key, () => openFile(file));

  return {
    groups: async (file, shard) =>
      (await fileOf(file)).groups.filter(({ first }) => shardOfRecord(ulidInId(first)) === shard),
    rows: (file, group, tenantId) =>
      decoded(`${file.key}#${group.firstRow}`, async () => {
        const footer = await fileOf(file);
        const { tail, tailStart } = footer;
        const bytes =
          group.start >= tailStart
            ? tail.subarray(group.start - tailStart, group.end - tailStart)
            : await range(file.key, group.start, group.end);
        return readGroup(footer, group, bytes, tenantId);
      }),
  };
};
