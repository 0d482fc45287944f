import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const SETTING = 'LOCAL_KEEP_WARM';
// Threads have variables of their own.
if (isMainThread) setEnvironmentData(SETTING, process.env[SETTING]);

/**
 * Whether this process spends memory to save CPU time (`LOCAL_KEEP_WARM=1`), as a run of tests does: unused environments stay
 * for minutes, and idle threads keep their garbage. A start of an environment and a collection take a tenth of a second or more.
 */
export const isKeptWarm = (): boolean =>
  (isMainThread ? process.env[SETTING] : getEnvironmentData(SETTING)) === '1';
