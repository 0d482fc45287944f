const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

const ALLOWED_MINIMUM = HOUR;
const ALLOWED_MAXIMUM = 10 * DAY;
/** Until a layer is known this long, its weekends are not. */
const KNOWN_AFTER = 14 * DAY;
const ALLOWED_UNTIL_KNOWN = 3 * DAY;
/** A silence is allowed to last half as long again as it has before. */
const MARGIN = 1.5;

/**
 * How long something that was seen at these slots (ascending, epoch milliseconds, at least one) may be silent, in
 * milliseconds. The longest silence so far may have been an outage; the second longest has come twice.
 */
export const allowedSilence = (slots: readonly number[], now: number): number => {
  const silences = slots.slice(1).map((slot, index) => slot - (slots[index] ?? slot));
  const [, recurring = 0] = silences.sort((one, other) => other - one);
  const isKnown = now - (slots[0] ?? now) >= KNOWN_AFTER;
  const least = isKnown ? ALLOWED_MINIMUM : ALLOWED_UNTIL_KNOWN;
  return Math.min(ALLOWED_MAXIMUM, Math.max(least, Math.round(recurring * MARGIN)));
};
