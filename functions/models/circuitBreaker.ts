/** Breaches within so many milliseconds of each other that open the breaker. */
const WINDOW_MILLISECONDS = 30_000;
const BREACHES = 3;
/** How long an open breaker stays shut before one call may try again, in milliseconds. */
const RESET_TIMEOUT_MILLISECONDS = 30_000;

/** Keeps a model that is too slow, or cannot be had, from being asked. All instants are epoch milliseconds. */
export interface CircuitBreaker {
  /** Whether the model may be asked: always while closed, once in a while as a probe while open. */
  readonly canCall: (now: number) => boolean;
  readonly isOpen: () => boolean;
  /** The model answered in time. A probe that does closes the breaker. */
  readonly recordSuccess: () => void;
  /** It took too long. A probe that does opens the breaker again. */
  readonly recordTimeout: (now: number) => void;
  /** It could not be had at all: there is no point in asking twice more. */
  readonly recordFailure: (now: number) => void;
}

export const circuitBreaker = (): CircuitBreaker => {
  let breaches: number[] = [];
  let openedAt: number | null = null;

  const open = (now: number): void => {
    openedAt = now;
    breaches = [];
  };

  return {
    canCall: (now) => openedAt === null || now - openedAt >= RESET_TIMEOUT_MILLISECONDS,
    isOpen: () => openedAt !== null,
    recordSuccess: () => {
      openedAt = null;
    },
    recordTimeout: (now) => {
      breaches = [...breaches.filter((at) => now - at < WINDOW_MILLISECONDS), now];
      if (openedAt !== null || breaches.length >= BREACHES) open(now);
    },
    recordFailure: open,
  };
};
