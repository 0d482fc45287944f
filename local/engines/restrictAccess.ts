import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Mode bits of everybody but the owner. */
const OTHERS = 0o077;

/** The file that marks a directory as a data directory of this service (`dataDirectory.ts`). */
export const LOCK_FILE = 'lock';

/** Removes the access of other users. The bits of the owner stay, so an executable file stays executable. */
const restrict = (path: string, mode: number): void => {
  if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o700);
};

/** A shared directory that already holds files of something else, such as a home directory or /tmp. */
const belongsToOthers = (path: string, mode: number): boolean => {
  if ((mode & OTHERS) === 0) return false;
  const entries = readdirSync(path);
  return entries.length > 0 && !entries.includes(LOCK_FILE);
};

/**
 * Creates the directory if it is missing, and makes it and everything in it accessible to the owner only: the data, the
 * credentials and the private keys of the local service are not encrypted. Also sets the umask of this process and of
 * the processes it starts, so that new files are private from the start. Skips symbolic links.
 *
 * Throws if other users can read the directory and it holds files of another program: restricting those would break it.
 */
export function restrictAccess(path: string): void {
  process.umask(OTHERS);
  mkdirSync(path, { recursive: true });
  const { mode } = statSync(path);
  if (belongsToOthers(path, mode)) {
    throw new Error(
      `The directory ${path} holds files of another program and other users can read it. Choose another directory with --data-dir.`,
    );
  }
  restrict(path, mode);
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory()) continue;
    const name = join(entry.parentPath, entry.name);
    restrict(name, lstatSync(name).mode);
  }
}
