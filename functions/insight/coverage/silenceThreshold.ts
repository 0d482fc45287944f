import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';

/** Bounds of the threshold. */
const THRESHOLD_MINIMUM_MS = HOUR_MS;
const THRESHOLD_MAXIMUM_MS = 10 * DAY_MS;
/** History needed to know the weekends of a layer. Until then the threshold is at least INITIAL_THRESHOLD_MS. */
const LEARNING_PERIOD_MS = 14 * DAY_MS;
const INITIAL_THRESHOLD_MS = 3 * DAY_MS;
/** Factor on the longest recurring silence. */
const MARGIN = 1.5;

/**
 * The longest silence, in milliseconds, that is normal for a layer with activity in these time slots (ascending, epoch
 * milliseconds, at least one). It uses the second longest silence, because the longest may have been an outage.
 */
export const silenceThreshold = (slots: readonly number[], now: number): number => {
  const silences = slots.slice(1).map((slot, index) => slot - (slots[index] ?? slot));
  const [, recurring = 0] = silences.sort((one, other) => other - one);
  const isKnown = now - (slots[0] ?? now) >= LEARNING_PERIOD_MS;
  const minimum = isKnown ? THRESHOLD_MINIMUM_MS : INITIAL_THRESHOLD_MS;
  return Math.min(THRESHOLD_MAXIMUM_MS, Math.max(minimum, Math.round(recurring * MARGIN)));
};
