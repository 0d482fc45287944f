import { MINUTE_MS } from '../../../../../schemas/durations.ts';
import type { StoredEndpoint } from '../../endpoints/endpoint.store.ts';
import type { EndpointKey, EndpointLeases } from './endpointLease.store.ts';

const ACQUIRE_ATTEMPTS = 4;
/** The longest pause after the first attempt to acquire a lease. It grows linearly with each attempt. */
const ACQUIRE_PAUSE_MS = 150;
/** A lease held for longer than this is not waited for: the receiver may not answer. */
const SHORT_CALL_MS = 1_000;
/** An endpoint that has failed for this long without a success is treated as down. */
const FAILING_THRESHOLD_MS = 15_000;

/** Exponential backoff for deliveries that were deferred because another process held the lease. */
export interface Backoff {
  /** The longest delay after the first deferral, in milliseconds. It doubles with each deferral. */
  readonly base: number;
  /** The upper limit of the delay, in milliseconds. */
  readonly cap: number;
}
const FAST_BACKOFF: Backoff = { base: 1_000, cap: 30_000 };
const SLOW_BACKOFF: Backoff = { base: 2_000, cap: MINUTE_MS };
/** For endpoints that are down: their backlog must not cycle through the queue at a high rate. */
const FAILING_BACKOFF: Backoff = { base: 5_000, cap: 15 * MINUTE_MS };
/** The shortest delay, so that messages do not spin. */
const DELAY_MINIMUM_MS = 1_000;

/**
 * The backoff for deliveries to an endpoint whose lease has been held for `heldFor` milliseconds at `now` (epoch
 * milliseconds). For an endpoint that is down, the cap is the duration of the outage, so that a short outage delays its
 * backlog only shortly.
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

/**
 * The delay of a delivery that was deferred `deferrals` times before, in milliseconds, with full jitter. `uniform` is in [0,
 * 1).
 */
export const deferralDelay = (deferrals: number, { base, cap }: Backoff, uniform: () => number): number =>
  DELAY_MINIMUM_MS + uniform() * Math.min(cap, base * 2 ** deferrals);

/**
 * Acquires the lease of an endpoint. Retries up to 4 times with jittered pauses while the holder has had the lease for at
 * most a second, because most calls are short. Returns null on success. Otherwise returns how long the holder has had the
 * lease, in milliseconds.
 */
export const acquireLease = async (
  deps: {
    readonly leases: EndpointLeases;
    readonly clock: () => number;
    readonly uniform: () => number;
    readonly pause: (milliseconds: number) => Promise<unknown>;
  },
  endpointKey: EndpointKey,
  holder: string,
): Promise<number | null> => {
  for (let attempt = 1; ; attempt += 1) {
    const heldFor = await deps.leases.acquire(endpointKey, holder, deps.clock());
    if (heldFor === null || heldFor > SHORT_CALL_MS || attempt === ACQUIRE_ATTEMPTS) return heldFor;
    await deps.pause(deps.uniform() * ACQUIRE_PAUSE_MS * attempt);
  }
};
