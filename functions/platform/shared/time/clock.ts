import { settings } from '../settings.ts';

/** Returns the current time in epoch milliseconds. Pure rules take the value; only entry points create a clock. */
export type Clock = () => number;

const OFFSET_MS = (settings.CLOCK_OFFSET_SECONDS ?? 0) * 1_000;

export const systemClock: Clock = () => Date.now() + OFFSET_MS;

/** Converts an instant of an external clock, which CLOCK_OFFSET_SECONDS does not shift, to our clock. */
export const fromExternalClock = (instant: number): number => instant + OFFSET_MS;

/** A monotonic clock for durations, in milliseconds. */
export interface Stopwatch {
  readonly now: () => number;
  /** Resolves when this clock reaches `instant`, at most a fraction of a millisecond late. */
  readonly until: (instant: number) => Promise<void>;
}

/** Timers fire up to 2 ms late, so the last milliseconds are awaited with setImmediate. */
const TIMER_SLACK_MS = 2;

export const stopwatch: Stopwatch = {
  now: () => performance.now(),
  until: async (instant) => {
    const coarseWait = instant - performance.now() - TIMER_SLACK_MS;
    if (coarseWait > 0) await new Promise((resolve) => setTimeout(resolve, coarseWait));
    while (performance.now() < instant) await new Promise((resolve) => setImmediate(resolve));
  },
};
