import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockFile } from '../../local/engines/fileLock.ts';

/** The usual place of caches of build tools. `npm ci` deletes it, and so may anybody else at any time. */
const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/inference-attribution');
const LOCK_POLL_MS = 100;
/** A running instance still loads functions from the entry that it started with. */
const ENTRIES_KEPT = 20;
const KEPT_MS = 24 * 3_600_000;

/** Deletes entries that are neither among the newest nor used within a day. */
const prune = (cache: string): void => {
  const unused = readdirSync(cache, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ path: join(cache, name), usedAt: statSync(join(cache, name)).mtimeMs }))
    .sort((one, other) => other.usedAt - one.usedAt)
    .slice(ENTRIES_KEPT)
    .filter(({ usedAt }) => usedAt < Date.now() - KEPT_MS);
  for (const { path } of unused) rmSync(path, { recursive: true, force: true });
};

/** The modification time of a folder is the time of its last use. It stays in a checkout that belongs to somebody else. */
const markUsed = (path: string): void => {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Only the order in which unused folders are deleted depends on it.
  }
};

/** The folder of the cache with this name, or null. */
export const lookUp = (name: string, cache = CACHE): string | null => {
  const path = join(cache, name);
  if (!existsSync(path)) return null;
  markUsed(path);
  return path;
};

/** Creates the cache. Throws with the remedy where this user may not write. */
const requireWritable = (cache: string): void => {
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
  } catch (error) {
    throw new Error(
      `The functions are not built, and ${cache} cannot be written. Run npm ci as the owner of this folder, or use a copy of your own.`,
      { cause: error },
    );
  }
};

const waitForLock = async (path: string): Promise<() => void> => {
  for (;;) {
    const release = lockFile(path, 0);
    if (!(release instanceof Error)) return release;
    await sleep(LOCK_POLL_MS);
  }
};

/**
 * The folder of the cache with this name. If it is missing, `produce` fills a temporary folder, which is then renamed, so an
 * interrupted build leaves no incomplete entry. Of several processes, one builds and the others wait. Rejects with the
 * error of `produce`.
 */
export const cachedFolder = async (
  name: string,
  produce: (folder: string) => Promise<void>,
  cache = CACHE,
): Promise<string> => {
  const cached = lookUp(name, cache);
  if (cached !== null) return cached;
  requireWritable(cache);
  const release = await waitForLock(join(cache, 'lock'));
  try {
    const builtMeanwhile = lookUp(name, cache);
    if (builtMeanwhile !== null) return builtMeanwhile;
    const path = join(cache, name);
    const partial = `${path}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial);
    await produce(partial);
    renameSync(partial, path);
    prune(cache);
    return path;
  } finally {
    release();
  }
};
