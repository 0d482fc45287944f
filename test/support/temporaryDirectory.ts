import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment variable with the directory of all data of a test run. Test processes inherit it. */
export const RUN_DIRECTORY = 'TEST_RUN_DIRECTORY';
/** A file system in memory. The engines wait for a disk much longer than they work. */
const MEMORY = '/dev/shm';
/** Far more than a run stores. The memory file system of a container is often smaller and would fill up. */
const SUFFICIENT_BYTES = 2 * 1_024 ** 3;

const freeBytes = (directory: string): number => {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
};

/** Where tests keep data: in memory if there is enough of it. */
export const dataRoot = (): string =>
  existsSync(MEMORY) && freeBytes(MEMORY) >= SUFFICIENT_BYTES ? MEMORY : tmpdir();

/** A new directory. It is removed after a test run that uses `runDirectory.ts`. */
export const temporaryDirectory = (): string =>
  mkdtempSync(join(process.env[RUN_DIRECTORY] ?? tmpdir(), 'attribution-'));
