import type { Format } from './format.ts';
import type { Extent } from './trace.ts';

/** The service rejects older events, and events further in the future. */
const MONTHS_BACK = 13;
const FUTURE_LIMIT_MS = 10 * 60_000;
/** Margin for a long replay. */
const MARGIN_MS = 86_400_000;

const monthsBefore = (now: number, months: number): number => {
  const date = new Date(now);
  return date.setUTCMonth(date.getUTCMonth() - months);
};

const startOfDay = (now: number): number => new Date(now).setUTCHours(0, 0, 0, 0);

/** Whether the service accepts events with these times unchanged. */
const isRecent = ({ first, last }: Extent, now: number): boolean =>
  first >= monthsBefore(now, MONTHS_BACK) + MARGIN_MS && last <= now + FUTURE_LIMIT_MS;

/**
 * Milliseconds to add to every time of a trace, so that its last row is at the anchor. The distances between rows stay.
 * Without an anchor, recent absolute times stay unchanged, and other traces end at the start of the current UTC day.
 * `anchor` and `now` are epoch milliseconds.
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
