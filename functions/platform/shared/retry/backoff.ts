import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_STEP_MS = 20;
/** The longest pause stops growing at this attempt. */
const GROWING_ATTEMPTS = 10;

/**
 * How long to wait after an optimistic write lost against another writer, in milliseconds. `attempt` counts from 1.
 * Full jitter: the wait is uniform from 0 to a cap, so that writers of one item spread out. The cap grows by 20 ms with
 * each attempt, up to 200 ms. `uniform` is in [0, 1).
 */
export const conflictPauseMs = (attempt: number, uniform: () => number): number =>
  uniform() * Math.min(attempt, GROWING_ATTEMPTS) * PAUSE_STEP_MS;

/** Waits for a random {@link conflictPauseMs}. */
export const pauseAfterConflict = (attempt: number): Promise<void> =>
  sleep(conflictPauseMs(attempt, Math.random));
