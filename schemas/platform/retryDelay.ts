const FIRST_DELAY_SECONDS = 5;
const GROWTH = 3;
const MAXIMUM_DELAY_SECONDS = 900;

/**
 * Seconds until a failed message is received again: 5 s, 15 s, 45 s and so on, up to 15 minutes. `receives` is how often it
 * was received. A short failure costs seconds, and with the receives that a queue allows a message outlasts an outage of
 * half an hour.
 */
export const retryDelaySeconds = (receives: number): number =>
  Math.min(MAXIMUM_DELAY_SECONDS, FIRST_DELAY_SECONDS * GROWTH ** Math.max(0, receives - 1));
