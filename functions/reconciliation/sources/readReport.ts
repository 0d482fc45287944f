import type { ImportError } from '../../../schemas/billSourceHealth.ts';
import type { Egress } from '../../egress/egress.ts';
import type { EgressOutcome } from '../../egress/outcome.ts';
import { parseRetryAfter } from '../../webhooks/deliveries/retrySchedule.ts';
import type { CostApi, ReportedBucket, ReportPage } from './costReport.ts';

/** Firewalls of providers can refuse requests that do not name their sender. */
const COMMON_HEADERS = { accept: 'application/json', 'user-agent': 'attribution-bills/1' };
/** Most pages of one day. Each has up to 4 MiB, about 16,000 charges. */
const PAGES_MAXIMUM = 20;

/** Why a report could not be read, and how long the provider asks to wait, in milliseconds. */
export interface ReportFailure {
  readonly kind: 'failed';
  readonly error: ImportError;
  readonly wait: number;
}

type ReportOutcome = { readonly kind: 'read'; readonly buckets: readonly ReportedBucket[] } | ReportFailure;

export const failReport = (error: ImportError, wait = 0): ReportFailure => ({ kind: 'failed', error, wait });

/** Why an answer is no report. Null for a complete one. */
export const failureOf = (outcome: EgressOutcome, now: number): ReportFailure | null => {
  if (outcome.kind === 'failed') {
    return failReport(
      outcome.failure === 'redirect' || outcome.failure === 'protocol' ? 'unreadable' : 'unavailable',
    );
  }
  const { status, retryAfter, truncated } = outcome;
  if (status === 429) return failReport('rate_limited', parseRetryAfter(retryAfter, now));
  if (status >= 500) return failReport('unavailable', parseRetryAfter(retryAfter, now));
  if (status !== 200) return failReport('refused');
  return truncated ? failReport('too_large') : null;
};

/** Reads all pages of the report of a day. Pages start before `until`, by the clock `now` (epoch milliseconds). */
export const reportReader =
  (deps: { readonly get: Egress['get']; readonly now: () => number }) =>
  async (
    api: CostApi,
    request: { readonly credential: string; readonly day: number; readonly until: number },
  ): Promise<ReportOutcome> => {
    const buckets: ReportedBucket[] = [];
    let page: string | null = null;
    for (let count = 0; count < PAGES_MAXIMUM; count += 1) {
      if (deps.now() >= request.until) return failReport('slow');
      const outcome = await deps.get(`${api.baseUrl}${api.pathOf(request.day, page)}`, {
        ...COMMON_HEADERS,
        ...api.headersOf(request.credential),
      });
      const failure = failureOf(outcome, deps.now());
      if (failure !== null) return failure;
      let read: ReportPage;
      try {
        read = api.parsePage(outcome.kind === 'answered' ? outcome.body : Buffer.alloc(0));
      } catch {
        // The reason would quote the response.
        return failReport('unreadable');
      }
      buckets.push(...read.buckets);
      if (read.next === null) return { kind: 'read', buckets };
      page = read.next;
    }
    return failReport('too_large');
  };
