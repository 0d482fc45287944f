import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A process that was just killed holds its lock until the last of its threads is gone. */
const LOCK_WAIT_MS = 1000;

/** Keeps the locks of this process reachable: collecting one as garbage would give its directory away. */
const heldLocks = new Set<DatabaseSync>();

export interface DataDirectory {
  path: string;
  /** A file or directory inside. */
  join(...names: string[]): string;
  release(): void;
}

/**
 * Makes the directory and takes it for this process. Two runtimes on one directory would each believe they alone hold
 * the messages in memory and lose the other's. The lock is the operating system's, held through SQLite: it goes with
 * the process however that ends, so no stale lock can be left. Throws where another process holds it.
 */
export function lockDataDirectory(path: string): DataDirectory {
  mkdirSync(join(path, 'logs'), { recursive: true });
  const lock = new DatabaseSync(join(path, 'lock'), { timeout: LOCK_WAIT_MS });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw new Error(
      `The data directory ${path} is in use by another instance; stop it or choose another directory`,
      {
        cause: error,
      },
    );
  }
  heldLocks.add(lock);
  return {
    path,
    join: (...names) => join(path, ...names),
    release: () => {
      if (heldLocks.delete(lock)) lock.close();
    },
  };
}
