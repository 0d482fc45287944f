import type { Client } from '../src/client.ts';
import { AttributionError } from '../src/errors.ts';
import { lookUpAttribution } from '../src/operations.ts';
import type { AttributionLookup } from '../src/types.ts';
import { answerCache } from './answerCache.ts';

/** What is known of a call before it is made. */
export type LookupSignals = NonNullable<Parameters<typeof lookUpAttribution>[1]>;

export interface LookupOptions {
  readonly client: Client;
  /** Longest time that a call waits for an answer. 0: only cached answers. Default: 50. */
  readonly timeoutMs?: number;
  /** Age up to which an answer is used without a request. Default: 30,000. */
  readonly freshMs?: number;
  /** Age up to which an answer is used while a request renews it. Default: 600,000. */
  readonly staleMs?: number;
  /** Answers that are kept, one for each combination of signals. Default: 1,000. */
  readonly capacity?: number;
  /** Keeps a serverless function alive until a request has ended, such as `waitUntil` of Vercel or Cloudflare. */
  readonly waitUntil?: (work: Promise<unknown>) => void;
  /** Current time in epoch milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Returns the owner and budgets of a call with these signals, or null: no answer in time, a failure, or signals that the
 * service refuses. Never rejects, and never waits longer than `timeoutMs`.
 */
export type Lookup = (signals: LookupSignals) => Promise<AttributionLookup | null>;

/** A request continues after the caller stopped waiting, so that the next call has its answer. */
const REQUEST_MS = 5_000;
/** Bounds the open requests while the service hangs. */
const REQUESTS_MAXIMUM = 8;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The result of the work, or null after the time or a rejection. */
const within = <Result>(ms: number, work: Promise<Result>): Promise<Result | null> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), ms);
    work
      .catch(() => null)
      .then((result) => {
        clearTimeout(timer);
        resolve(result);
      });
  });

/** Whether it is an answer of the service, not of a proxy or a login page in between. */
const isAnswer = (value: AttributionLookup | null | undefined): value is AttributionLookup =>
  typeof value?.as_of === 'string' && Array.isArray(value.budgets);

/** The signals in a fixed order, so that equal ones have one answer. */
const keyOf = (signals: LookupSignals): string =>
  JSON.stringify(
    Object.entries(signals)
      .filter(([, value]) => value !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

/** Looks up calls before they are made. It fails open: no answer is never a reason to hold back a call. */
export const createLookup = (options: LookupOptions): Lookup => {
  const { timeoutMs = 50, freshMs = 30_000, staleMs = 600_000, capacity = 1_000, waitUntil } = options;
  const now = options.now ?? Date.now;
  const client: Client = { ...options.client, retries: 0, timeoutMs: REQUEST_MS };
  const answers = answerCache(capacity, freshMs, staleMs, now);
  const requests = new Map<string, Promise<AttributionLookup | null>>();
  let failures = 0;
  let pausedUntil = 0;

  const pause = (): void => {
    // Requests that were open together are one failure.
    if (now() < pausedUntil) return;
    pausedUntil = now() + Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS);
    failures += 1;
  };

  const request = async (key: string, signals: LookupSignals): Promise<AttributionLookup | null> => {
    try {
      // Also limits a token callback that hangs.
      const answer = await within(REQUEST_MS, lookUpAttribution(client, signals).catch(refused));
      if (answer === 'refused') answers.set(key, null);
      else if (!isAnswer(answer)) pause();
      else {
        failures = 0;
        answers.set(key, answer);
        return answer;
      }
    } finally {
      requests.delete(key);
    }
    return null;
  };

  /** Undefined if no request may start: the last ones failed, or too many are open. */
  const renew = (key: string, signals: LookupSignals): Promise<AttributionLookup | null> | undefined => {
    const open = requests.get(key);
    if (open !== undefined) return open;
    if (now() < pausedUntil || requests.size >= REQUESTS_MAXIMUM) return undefined;
    const started = request(key, signals);
    requests.set(key, started);
    try {
      waitUntil?.(started);
    } catch {
      // Outside of a request.
    }
    return started;
  };

  return async (signals) => {
    try {
      const key = keyOf(signals);
      const cached = answers.get(key);
      if (cached?.isFresh) return cached.answer;
      const renewed = renew(key, signals);
      if (cached !== undefined) return cached.answer;
      return renewed === undefined || timeoutMs <= 0 ? null : await within(timeoutMs, renewed);
    } catch {
      // Signals that are no object.
      return null;
    }
  };
};

/** 400 and 422 concern these signals only. Every other failure concerns all of them. */
const refused = (error: unknown): 'refused' => {
  if (error instanceof AttributionError && [400, 422].includes(error.status)) return 'refused';
  throw error;
};
