import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LOCK_FILE, restrictAccess } from './restrictAccess.ts';

/** A killed process holds its lock until its last thread has ended. */
const LOCK_WAIT_MS = 1000;

/** Keeps the locks reachable. The garbage collector would otherwise close a lock and free its directory. */
const heldLocks = new Set<DatabaseSync>();

export interface DataDirectory {
  path: string;
  /** The path of a file or directory inside. */
  join(...names: string[]): string;
  release(): void;
}

/**
 * Creates the directory, accessible to its owner only, and locks it for this process. Each runtime keeps queue messages in memory, so two runtimes on
 * one directory would lose each other's messages. SQLite holds an operating system lock, which ends with the process.
 * No stale lock can remain. Throws if another process holds the lock, or if the directory belongs to another program.
 */
export function lockDataDirectory(path: string): DataDirectory {
  restrictAccess(path);
  mkdirSync(join(path, 'logs'), { recursive: true });
  const lock = new DatabaseSync(join(path, LOCK_FILE), { timeout: LOCK_WAIT_MS });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw new Error(
      `The data directory ${path} is in use by another instance. Stop that instance, or choose another directory with --data-dir.`,
      { cause: error },
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
