import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'aws-lambda';

/** The end of the invocation that the caller is part of, in epoch milliseconds. */
const deadline = new AsyncLocalStorage<number>();

/** What tells how much time an invocation has. */
export type InvocationContext = Pick<Context, 'getRemainingTimeInMillis'>;

/**
 * Runs an invocation. Retries inside it end before the function does, and its end concerns nothing outside it. A handler that
 * is called without a context has no limit.
 */
export const withinInvocation = <Result>(
  context: InvocationContext | undefined,
  run: () => Result,
  now: () => number = Date.now,
): Result => (context === undefined ? run() : deadline.run(now() + context.getRemainingTimeInMillis(), run));

/** The time left in the current invocation, in milliseconds. 0 after its end. Infinity outside of one. */
export const remainingTimeMs = (now: number): number => {
  const end = deadline.getStore();
  return end === undefined ? Number.POSITIVE_INFINITY : Math.max(0, end - now);
};

/** Whether more than `reservedMs` is left in the current invocation. */
export const hasTimeLeft = (reservedMs: number, now: () => number = Date.now): boolean =>
  remainingTimeMs(now()) > reservedMs;

/** A call that is throttled for longer fails. A queue then repeats the message after a longer pause. */
const USUAL_PATIENCE_MS = 10_000;
/**
 * How long the look-up of a credential is repeated while it is throttled. Each request above the throughput of a credential
 * waits that long in an execution environment, which all tenants share. The client gets 503 and tries again.
 */
const AUTHENTICATION_PATIENCE_MS = 300;

const patience = new AsyncLocalStorage<number>();

/** Runs the look-up of a credential. */
export const authenticating = <Result>(lookUp: () => Result): Result =>
  patience.run(AUTHENTICATION_PATIENCE_MS, lookUp);

/** How long the caller repeats a throttled call, in milliseconds. */
export const patienceMs = (): number => patience.getStore() ?? USUAL_PATIENCE_MS;
