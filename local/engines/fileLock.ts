import { DatabaseSync } from 'node:sqlite';

/** Keeps the locks reachable. The garbage collector would otherwise close a lock and free it. */
const heldLocks = new Set<DatabaseSync>();

/**
 * Locks a file for this process, and creates it. Returns the function that releases the lock, or the error if another
 * process holds it for longer than `waitMs`. SQLite holds an operating system lock, which ends with the process. No stale
 * lock can remain.
 */
export function lockFile(path: string, waitMs: number): (() => void) | Error {
  const lock = new DatabaseSync(path, { timeout: waitMs });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    return error instanceof Error ? error : new Error(String(error));
  }
  heldLocks.add(lock);
  return () => {
    if (heldLocks.delete(lock)) lock.close();
  };
}
