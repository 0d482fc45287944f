const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

const THRESHOLD_MINIMUM_MS = HOUR;
const THRESHOLD_MAXIMUM_MS = 10 * DAY;
/** Until a layer is known this long, its weekends are not. */
const LEARNING_PERIOD_MS = 14 * DAY;
const INITIAL_THRESHOLD_MS = 3 * DAY;
/** A silence is allowed to last half as long again as it has before. */
const MARGIN = 1.5;

/**
 * How long something that was seen at these slots (ascending, epoch milliseconds, at least one) may be silent, in
 * milliseconds. The longest silence so far may have been an outage; the second longest has come twice.
 */
export const silenceThreshold = (slots: readonly number[], now: number): number => {
  const silences = slots.slice(1).map((slot, index) => slot - (slots[index] ?? slot));
  const [, recurring = 0] = silences.sort((one, other) => other - one);
  const isKnown = now - (slots[0] ?? now) >= LEARNING_PERIOD_MS;
  const least = isKnown ? THRESHOLD_MINIMUM_MS : INITIAL_THRESHOLD_MS;
  return Math.min(THRESHOLD_MAXIMUM_MS, Math.max(least, Math.round(recurring * MARGIN)));
};
