import type { Lease } from '../../../../schemas/platform/lease.ts';

/** How far the clocks of two processes may differ. */
const CLOCK_SKEW_MS = 5_000;

/**
 * The first and the last instant at which a lease of `lifetime` milliseconds may end that is held at `now` (epoch
 * milliseconds). One that ends later was taken by a clock ahead of time, for example before a restore, and would block until
 * the clock is there.
 */
export const endsOfHeld = (
  lifetime: number,
  now: number,
): { readonly first: number; readonly last: number } => ({
  first: now + 1,
  last: now + lifetime + CLOCK_SKEW_MS,
});

/** Whether a lease of `lifetime` milliseconds is held at `now`. The same for everything else that ends by itself. */
export const isHeld = (lease: Pick<Lease, 'until'> | null, lifetime: number, now: number): boolean => {
  const { first, last } = endsOfHeld(lifetime, now);
  return lease !== null && lease.until >= first && lease.until <= last;
};
