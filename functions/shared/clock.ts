import { settings } from './settings.ts';

/** Epoch milliseconds, now. Rules take the value; only entry points hold a clock. */
export type Clock = () => number;

const offset = (settings.CLOCK_OFFSET_SECONDS ?? 0) * 1_000;

export const systemClock: Clock = () => Date.now() + offset;

/** An instant of somebody else's clock, which is not shifted along with ours, as ours has it. */
export const fromExternalClock = (instant: number): number => instant + offset;

/** Measures durations: milliseconds that nobody sets back. */
export interface Stopwatch {
  readonly now: () => number;
  /** Resolves at an instant of this watch, and hardly later. */
  readonly until: (instant: number) => Promise<void>;
}

/** Timers wake up to a millisecond or two late: the last stretch is waited for turn by turn. */
const TIMER_SLACK = 2;

export const stopwatch: Stopwatch = {
  now: () => performance.now(),
  until: async (instant) => {
    const coarse = instant - performance.now() - TIMER_SLACK;
    if (coarse > 0) await new Promise((resolve) => setTimeout(resolve, coarse));
    while (performance.now() < instant) await new Promise((resolve) => setImmediate(resolve));
  },
};
