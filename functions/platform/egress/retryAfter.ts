import { HOUR_MS } from '../../../schemas/durations.ts';

/** No receiver is waited for longer than this. */
export const RETRY_AFTER_MAXIMUM_MS = 6 * HOUR_MS;

/**
 * IMF-fixdate, the only HTTP date format that senders still generate (RFC 9110 §5.6.7). The two obsolete formats are
 * ignored.
 */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The delay that a Retry-After field requests at `now`, in milliseconds, capped at 6 hours. 0 when it is absent or invalid.
 */
export const parseRetryAfter = (field: string | null, now: number): number => {
  if (field === null) return 0;
  const text = field.trim();
  if (/^\d+$/.test(text)) return Math.min(RETRY_AFTER_MAXIMUM_MS, Number(text) * 1_000);
  const wait = HTTP_DATE.test(text) ? Date.parse(text) - now : 0;
  return wait > 0 ? Math.min(RETRY_AFTER_MAXIMUM_MS, wait) : 0;
};
