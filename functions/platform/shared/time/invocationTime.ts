import type { Context } from 'aws-lambda';

/** Epoch milliseconds. An execution environment runs one invocation at a time. */
let deadline = 0;

/** Records the end of the current invocation, so that retries inside it can end before the function does. */
export const beginInvocation = (
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
  now: () => number = Date.now,
): void => {
  deadline = now() + getRemainingTimeInMillis();
};

/** The time left in the current invocation, in milliseconds. Infinity outside of one. */
export const remainingTimeMs = (now: number): number =>
  deadline > now ? deadline - now : Number.POSITIVE_INFINITY;

/** Whether more than `reservedMs` is left in the current invocation. */
export const hasTimeLeft = (reservedMs: number, now: () => number = Date.now): boolean =>
  remainingTimeMs(now()) > reservedMs;
