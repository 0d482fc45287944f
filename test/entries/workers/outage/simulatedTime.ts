import { vi } from 'vitest';

/** Replaces `Date`. Timers and durations stay real: the engine and the SDK use them. */
export const simulatedTime = (start: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  return {
    now: () => Date.now(),
    set: (instant: number): void => {
      vi.setSystemTime(instant);
    },
    /** Calls in flight at the same time reach the same instant. */
    reach: (instant: number): void => {
      if (instant > Date.now()) vi.setSystemTime(instant);
    },
  };
};
export type SimulatedTime = ReturnType<typeof simulatedTime>;
