import type { StoredEndpoint } from '../endpoints/endpoint.store.ts';
import type { Slot, Slots } from './slot.store.ts';

/** Rounds of looking, and the longest pause behind the first, in milliseconds, longer with each. */
const ROUNDS = 4;
const PAUSE = 150;
/** Whoever has the slot for longer, in milliseconds, is not waited for: the call may hang. */
const QUICK = 1_000;
/** An endpoint without a success for so long since a failure is taken for dead, in milliseconds. */
const SUSPICION = 15_000;
/** How long deliveries wait that were turned away. */
export interface Pace {
  /** The longest wait of one that was turned away once, in milliseconds, doubled each time. */
  readonly first: number;
  /** The longest of all, in milliseconds. */
  readonly most: number;
}
const QUICKLY: Pace = { first: 1_000, most: 30_000 };
const SLOWLY: Pace = { first: 2_000, most: 60_000 };
/** A backlog of a dead endpoint must not turn round and round. */
const SELDOM: Pace = { first: 5_000, most: 15 * 60 * 1_000 };
/** The least it waits, in milliseconds: nothing spins. */
const WAIT_MINIMUM = 1_000;

/**
 * How long deliveries wait for an endpoint at `now` (epoch milliseconds) that one of its calls has had for `heldFor`
 * milliseconds. Where it fails they wait no longer than it has, so that a short outage ends soon for all of them.
 */
export const paceOf = (
  endpoint: Pick<StoredEndpoint, 'standing'> | null,
  heldFor: number,
  now: number,
): Pace => {
  const standing = endpoint?.standing;
  const failingSince = standing?.status === 'verified' ? standing.failing_since : null;
  const failingFor = failingSince === null ? 0 : now - Date.parse(failingSince);
  if (failingFor >= SUSPICION) return { ...SELDOM, most: Math.min(SELDOM.most, failingFor) };
  return heldFor <= QUICK ? QUICKLY : SLOWLY;
};

/** How long a delivery waits that was turned away `turnedAway` times before, in milliseconds; `uniform` is in [0, 1). */
export const turnedAwayWait = (turnedAway: number, { first, most }: Pace, uniform: () => number): number =>
  WAIT_MINIMUM + uniform() * Math.min(most, first * 2 ** turnedAway);

/**
 * Takes the slot of an endpoint, and waits a moment for it where it was taken a moment ago: most calls are short. Null when
 * it went well, otherwise for how long somebody else has had it, in milliseconds.
 */
export const takeSlot = async (
  deps: {
    readonly slots: Slots;
    readonly clock: () => number;
    readonly uniform: () => number;
    readonly pause: (milliseconds: number) => Promise<unknown>;
  },
  slot: Slot,
  holder: string,
): Promise<number | null> => {
  for (let round = 1; ; round += 1) {
    const heldFor = await deps.slots.take(slot, holder, deps.clock());
    if (heldFor === null || heldFor > QUICK || round === ROUNDS) return heldFor;
    await deps.pause(deps.uniform() * PAUSE * round);
  }
};
