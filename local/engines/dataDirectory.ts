import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from './fileLock.ts';
import { LOCK_FILE, restrictAccess } from './restrictAccess.ts';

/** A killed process holds its lock until its last thread has ended. */
const LOCK_WAIT_MS = 1000;

export interface DataDirectory {
  path: string;
  /** The path of a file or directory inside. */
  join(...names: string[]): string;
  release(): void;
}

/**
 * Creates the directory, accessible to its owner only, and locks it for this process. Each runtime keeps queue messages in
 * memory, so two runtimes on one directory would lose each other's messages. Throws if another process holds the lock, or
 * if the directory belongs to another program.
 */
export function lockDataDirectory(path: string): DataDirectory {
  restrictAccess(path);
  mkdirSync(join(path, 'logs'), { recursive: true });
  const release = lockFile(join(path, LOCK_FILE), LOCK_WAIT_MS);
  if (release instanceof Error) {
    throw new Error(
      `The data directory ${path} is in use by another instance. Stop that instance, or choose another directory with --data-dir.`,
      { cause: release },
    );
  }
  return { path, join: (...names) => join(path, ...names), release };
}
