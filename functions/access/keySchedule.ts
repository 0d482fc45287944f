import type { KeySchedule, ScheduledKey } from '../../schemas/platform/keySchedule.ts';
import { CLOCK_SKEW_SECONDS, LIFETIME_MAXIMUM_SECONDS } from './tokenLifetime.ts';

/** How long others may keep a copy of the key set. A key has to be listed this long before its first token reaches them. */
export const KEY_SET_MAX_AGE_SECONDS = 300;

/**
 * A key stays trusted for as long as its last token may live, for verifiers whose clock is behind by the skew, and for
 * as long again as a copy of the key set: those who verify elsewhere may tolerate more than we do.
 */
const OVERLAP = (LIFETIME_MAXIMUM_SECONDS + CLOCK_SKEW_SECONDS + KEY_SET_MAX_AGE_SECONDS) * 1_000;

/**
 * The key that signs at `now` (epoch milliseconds): the last whose time has come.
 * Before the first one's time it is the first, since there is no other: a key alone needs no date to be right.
 */
export const signingKeyAt = (schedule: KeySchedule, now: number): ScheduledKey =>
  schedule.findLast(({ from }) => from <= now) ?? schedule[0];

/**
 * The keys that verify tokens at `now` (epoch milliseconds), and that the key set shows: from their listing on, so that
 * whoever verifies knows a key before its first token, until a while after the next key took over.
 */
export const publishedKeysAt = (schedule: KeySchedule, now: number): readonly ScheduledKey[] =>
  schedule.filter((_, index) => {
    const successor = schedule[index + 1];
    return successor === undefined || now < successor.from + OVERLAP;
  });
