import { settings } from './settings.ts';

/** Epoch milliseconds, now. Rules take the value; only entry points hold a clock. */
export type Clock = () => number;

const offset = (settings.CLOCK_OFFSET_SECONDS ?? 0) * 1_000;

export const systemClock: Clock = () => Date.now() + offset;
