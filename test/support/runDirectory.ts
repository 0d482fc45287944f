import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataRoot, RUN_DIRECTORY } from './temporaryDirectory.ts';

const PREFIX = 'attribution-run-';

const remove = (directory: string): void =>
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });

/** Removes the data of a run that was killed. It would fill the memory. */
const removeIfAbandoned = (directory: string, processId: number): void => {
  try {
    process.kill(processId, 0);
  } catch {
    try {
      remove(directory);
    } catch {
      // It belongs to another user.
    }
  }
};

/** Creates the directory for the data of a test run, and removes it when the run ends. */
export default function createRunDirectory(): void {
  // The projects of a run share the directory.
  if (process.env[RUN_DIRECTORY] !== undefined) return;
  const root = dataRoot();
  for (const name of readdirSync(root)) {
    if (name.startsWith(PREFIX)) removeIfAbandoned(join(root, name), Number(name.slice(PREFIX.length)));
  }
  const directory = join(root, `${PREFIX}${process.pid}`);
  mkdirSync(directory, { mode: 0o700 });
  process.env[RUN_DIRECTORY] = directory;
  // Not as a teardown: that is called while the test processes and their engines still write.
  process.once('exit', () => remove(directory));
}
