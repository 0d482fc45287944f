import { isThrottle } from './aws/calls/throttling.ts';

/** The error that stands for several: one throttled part is enough, because the message is good. */
export const firstThrottleOf = (errors: readonly unknown[]): unknown => errors.find(isThrottle) ?? errors[0];

/** Waits for all parts, so that one that fails does not stop the others. Then throws if one failed. */
export const settleAll = async (parts: Iterable<Promise<unknown>>): Promise<void> => {
  const errors: unknown[] = [];
  for (const result of await Promise.allSettled(parts)) {
    if (result.status === 'rejected') errors.push(result.reason);
  }
  if (errors.length > 0) throw firstThrottleOf(errors);
};
