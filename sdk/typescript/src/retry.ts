/** What is worth repeating. A 500 only of the service, which asks for it in its catalogue of errors. */
const RETRIED: ReadonlySet<unknown> = new Set([
  408,
  429,
  502,
  503,
  504,
  'IDEMPOTENCY_IN_PROGRESS',
  'INTERNAL_ERROR',
]);
const FIRST_DELAY_MS = 250;

export const isRetried = (status: number, code: string | undefined): boolean =>
  RETRIED.has(status) || RETRIED.has(code);

/** All three forms of an HTTP date begin with a day. The oldest one names no zone, and means GMT (RFC 9110, section 5.6.7). */
const timeOf = (text: string | null): number =>
  text !== null && /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)
    ? Date.parse(/GMT$/.test(text) ? text : `${text} GMT`)
    : Number.NaN;

/**
 * The seconds of a Retry-After header, which holds seconds or a date (RFC 9110, section 10.2.3). Null if it says nothing. A
 * date is compared with that of the response, because the clock of this machine may differ from the clock of the service.
 */
export const retryAfter = (headers: Headers): number | null => {
  const text = headers.get('retry-after');
  if (text !== null && /^\d+$/.test(text)) return Number(text);
  const seconds = (timeOf(text) - (timeOf(headers.get('date')) || Date.now())) / 1_000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
};

/** Jitter is added, so that clients that were refused together do not return together. */
export const delayOf = (attempt: number, seconds: number | null): number =>
  Math.random() * FIRST_DELAY_MS * 2 ** (attempt - 1) + (seconds ?? 0) * 1_000;

/** Rejects with the reason of the signal when it is aborted. */
export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
