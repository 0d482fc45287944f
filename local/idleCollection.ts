import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isKeptWarm } from './keptWarm.ts';

/** Longer than a pause between two requests of one task, so that a collection delays none of them. */
const QUIET_MS = 3_000;
/** Less garbage is not worth a collection. */
const GROWTH_BYTES = 4 * 1024 ** 2;

// V8 shows its collector only to contexts that are created after this. The flag holds for all threads, so none unsets it.
setFlagsFromString('--expose-gc');

/**
 * Returns a function to call at each piece of work of this thread. Some seconds after the last call it collects the garbage
 * and gives the memory back to the operating system. V8 alone does so a minute later, or never in a thread that sleeps. Does
 * nothing in a process that is kept warm.
 */
export const collectWhenIdle = (quietMs = QUIET_MS): (() => void) => {
  if (isKeptWarm()) return () => undefined;
  const collect: (options: object) => void = runInNewContext('gc');
  let usedBytes = 0;
  const timer = setTimeout(() => {
    if (getHeapStatistics().used_heap_size < usedBytes + GROWTH_BYTES) return;
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    usedBytes = getHeapStatistics().used_heap_size;
  }, quietMs).unref();
  return () => timer.refresh();
};
