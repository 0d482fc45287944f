import type { StoredEndpoint } from '../endpoints/endpoint.store.ts';
import type { EndpointKey, EndpointLeases } from './endpointLease.store.ts';

/** Rounds of looking, and the longest pause behind the first, in milliseconds, longer with each. */
const ACQUIRE_ATTEMPTS = 4;
const ACQUIRE_PAUSE_MS = 150;
/** Whoever has the slot for longer, in milliseconds, is not waited for: the call may hang. */
const SHORT_CALL_MS = 1_000;
/** An endpoint without a success for so long since a failure is taken for dead, in milliseconds. */
const FAILING_THRESHOLD_MS = 15_000;
/** How long deliveries wait that were turned away. */
export interface Backoff {
  /** The longest wait of one that was turned away once, in milliseconds, doubled each time. */
  readonly base: number;
  /** The longest of all, in milliseconds. */
  readonly cap: number;
}
const FAST_BACKOFF: Backoff = { base: 1_000, cap: 30_000 };
const SLOW_BACKOFF: Backoff = { base: 2_000, cap: 60_000 };
/** A backlog of a dead endpoint must not turn round and round. */
const FAILING_BACKOFF: Backoff = { base: 5_000, cap: 15 * 60 * 1_000 };
/** The least it waits, in milliseconds: nothing spins. */
const DELAY_MINIMUM_MS = 1_000;

/**
 * How long deliveries wait for an endpoint at `now` (epoch milliseconds) that one of its calls has had for `heldFor`
 * milliseconds. Where it fails they wait no longer than it has, so that a short outage ends soon for all of them.
 */
export const backoffFor = (
  endpoint: Pick<StoredEndpoint, 'state'> | null,
  heldFor: number,
  now: number,
): Backoff => {
  const state = endpoint?.state;
  const failingSince = state?.status === 'verified' ? state.failing_since : null;
  const failingFor = failingSince === null ? 0 : now - Date.parse(failingSince);
  if (failingFor >= FAILING_THRESHOLD_MS)
    return { ...FAILING_BACKOFF, cap: Math.min(FAILING_BACKOFF.cap, failingFor) };
  return heldFor <= SHORT_CALL_MS ? FAST_BACKOFF : SLOW_BACKOFF;
};

/** How long a delivery waits that was turned away `turnedAway` times before, in milliseconds; `uniform` is in [0, 1). */
export const deferralDelay = (turnedAway: number, { base, cap }: Backoff, uniform: () => number): number =>
  DELAY_MINIMUM_MS + uniform() * Math.min(cap, base * 2 ** turnedAway);

/**
 * Takes the slot of an endpoint, and waits a moment for it where it was taken a moment ago: most calls are short. Null when
 * it went well, otherwise for how long somebody else has had it, in milliseconds.
 */
export const acquireLease = async (
  deps: {
    readonly slots: EndpointLeases;
    readonly clock: () => number;
    readonly uniform: () => number;
    readonly pause: (milliseconds: number) => Promise<unknown>;
  },
  endpointKey: EndpointKey,
  holder: string,
): Promise<number | null> => {
  for (let round = 1; ; round += 1) {
    const heldFor = await deps.slots.acquire(endpointKey, holder, deps.clock());
    if (heldFor === null || heldFor > SHORT_CALL_MS || round === ACQUIRE_ATTEMPTS) return heldFor;
    await deps.pause(deps.uniform() * ACQUIRE_PAUSE_MS * round);
  }
};
