import type { Format } from './format.ts';
import type { Extent } from './trace.ts';

/** The service refuses what is older, and what lies further ahead. */
const MONTHS_BACK = 13;
const FUTURE_LIMIT_MS = 10 * 60_000;
/** Slack for a replay that takes its time. */
const SLACK_MS = 86_400_000;

const monthsBefore = (now: number, months: number): number => {
  const date = new Date(now);
  return date.setUTCMonth(date.getUTCMonth() - months);
};

const startOfDay = (now: number): number => new Date(now).setUTCHours(0, 0, 0, 0);

/** Whether the service takes events of these times as they are. */
const isRecent = ({ first, last }: Extent, now: number): boolean =>
  first >= monthsBefore(now, MONTHS_BACK) + SLACK_MS && last <= now + FUTURE_LIMIT_MS;

/**
 * Milliseconds to add to every time of a trace, so that its last row ends at the anchor and the spacing stays.
 * Without an anchor a trace whose times are real and recent keeps them, any other ends at the start of the current
 * UTC day. All in epoch milliseconds.
 */
export const timeShiftOf = (
  extent: Extent,
  format: Format,
  anchor: number | undefined,
  now: number,
): number => {
  if (anchor === undefined && format !== 'mooncake' && isRecent(extent, now)) return 0;
  return (anchor ?? startOfDay(now)) - extent.last;
};
