import type { KeySchedule, ScheduledKey } from '../../../../schemas/platform/keySchedule.ts';
import { CLOCK_SKEW_SECONDS, LIFETIME_MAXIMUM_SECONDS } from './tokenLifetime.ts';

/** How long clients may cache the key set. A key must be published at least this long before it signs. */
export const KEY_SET_MAX_AGE_SECONDS = 300;

/**
 * How long a key stays published after its successor starts to sign: the maximum token lifetime, the clock skew, and the
 * cache time of the key set as a margin for verifiers with more tolerance than ours.
 */
const OVERLAP_MS = (LIFETIME_MAXIMUM_SECONDS + CLOCK_SKEW_SECONDS + KEY_SET_MAX_AGE_SECONDS) * 1_000;

/**
 * The key that signs at `now` (epoch milliseconds): the last one whose start has passed. Before the first start it is
 * the first key, so that there is always a signer.
 */
export const signingKeyAt = (schedule: KeySchedule, now: number): ScheduledKey =>
  schedule.findLast(({ from }) => from <= now) ?? schedule[0];

/**
 * The keys that verify tokens at `now` (epoch milliseconds) and that the key set publishes. A key is published as
 * soon as it is scheduled, so that verifiers know it before its first token. It is removed after its successor has signed
 * for the duration of the overlap.
 */
export const publishedKeysAt = (schedule: KeySchedule, now: number): readonly ScheduledKey[] =>
  schedule.filter((_, index) => {
    const successor = schedule[index + 1];
    return successor === undefined || now < successor.from + OVERLAP_MS;
  });
