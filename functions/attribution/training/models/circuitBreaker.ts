import { isHeld } from '../../../platform/shared/time/lease.ts';

/** The breaker opens after {@link TIMEOUTS_TO_OPEN} timeouts within this window. */
const WINDOW_MS = 30_000;
const TIMEOUTS_TO_OPEN = 3;
/** How long the breaker stays open before it allows a probe. */
const RESET_TIMEOUT_MS = 30_000;

/** Stops calls to a model that is too slow or cannot be loaded. All instants are epoch milliseconds. */
export interface CircuitBreaker {
  /** Whether the model may be called: always while closed, and after the reset timeout as a probe while open. */
  readonly canCall: (now: number) => boolean;
  readonly isOpen: () => boolean;
  /** Records a response within the time limit. It closes an open breaker. */
  readonly recordSuccess: () => void;
  /** Records a timeout. The timeout of a probe restarts the reset timeout. */
  readonly recordTimeout: (now: number) => void;
  /** Records that the model could not be loaded. It opens the breaker at once. */
  readonly recordFailure: (now: number) => void;
}

export const circuitBreaker = (): CircuitBreaker => {
  let timeouts: number[] = [];
  let openedAt: number | null = null;

  const open = (now: number): void => {
    openedAt = now;
    timeouts = [];
  };

  return {
    canCall: (now) =>
      openedAt === null || !isHeld({ until: openedAt + RESET_TIMEOUT_MS }, RESET_TIMEOUT_MS, now),
    isOpen: () => openedAt !== null,
    recordSuccess: () => {
      openedAt = null;
    },
    recordTimeout: (now) => {
      timeouts = [...timeouts.filter((at) => now - at < WINDOW_MS), now];
      if (openedAt !== null || timeouts.length >= TIMEOUTS_TO_OPEN) open(now);
    },
    recordFailure: open,
  };
};
