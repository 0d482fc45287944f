import type { ImportError } from '../../../../../schemas/chargeback/billSourceHealth.ts';
import type { Egress } from '../../../../platform/egress/egress.ts';
import type { EgressOutcome } from '../../../../platform/egress/outcome.ts';
import { parseRetryAfter } from '../../../../platform/egress/retryAfter.ts';
import { isTooLarge } from '../../../../platform/shared/itemBudget.ts';
import {
  type CostApi,
  OtherCurrency,
  type ReportedBucket,
  readAccount,
  reportedAccount,
} from './costReport.ts';

/** Firewalls of providers can refuse requests that do not name their sender. */
const COMMON_HEADERS = { accept: 'application/json', 'user-agent': 'attribution-bills/1' };
/** Most pages of one day. Each has up to 4 MiB, about 16,000 charges. */
const PAGES_MAXIMUM = 20;

/** Why a report could not be read, and how long the provider asks to wait, in milliseconds. */
export interface ReportFailure {
  readonly kind: 'failed';
  readonly error: ImportError;
  readonly wait: number;
  /** It ends the run, though its error could be that of one day. Default: false. */
  readonly ofRun?: boolean;
}

/** The report of a day. */
export interface ReadReport {
  readonly kind: 'read';
  readonly buckets: readonly ReportedBucket[];
  /** The account as the provider reports it. Null if it does not. */
  readonly account: string | null;
}

export const failReport = (error: ImportError, wait = 0): ReportFailure => ({ kind: 'failed', error, wait });

/** The failure of a report that cannot be stored. The message of the error would quote the report. */
export const unstorable = (error: unknown): ReportFailure => {
  if (error instanceof OtherCurrency) return failReport('other_currency');
  return failReport(isTooLarge(error) ? 'too_large' : 'unreadable');
};

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

interface ReportRequest {
  readonly credential: string;
  readonly day: number;
  /** No page starts later, in epoch milliseconds. */
  readonly until: number;
}

/** How one kind of report is read, page by page. */
interface PagedReport<Page extends { readonly next: string | null }> {
  readonly urlOf: (page: string | null) => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly accountHeader: string;
  readonly parsePage: (bytes: Uint8Array) => Page;
}

interface ReaderDeps {
  readonly get: Egress['get'];
  readonly now: () => number;
}

const accountOf = (outcome: EgressOutcome, header: string): string | null => {
  const value = outcome.kind === 'answered' ? outcome.headers?.[header] : undefined;
  return typeof value === 'string' ? value : null;
};

const readPages = async <Page extends { readonly next: string | null }>(
  deps: ReaderDeps,
  report: PagedReport<Page>,
  until: number,
): Promise<
  { readonly kind: 'read'; readonly pages: readonly Page[]; readonly account: string | null } | ReportFailure
> => {
  const pages: Page[] = [];
  let account: string | null = null;
  let token: string | null = null;
  for (let count = 0; count < PAGES_MAXIMUM; count += 1) {
    if (deps.now() >= until) return failReport('slow');
    const outcome = await deps.get(report.urlOf(token), report.headers);
    const failure = failureOf(outcome, deps.now());
    if (failure !== null) return failure;
    let page: Page;
    try {
      page = report.parsePage(outcome.kind === 'answered' ? outcome.body : Buffer.alloc(0));
    } catch (error) {
      return unstorable(error);
    }
    pages.push(page);
    account ??= accountOf(outcome, report.accountHeader);
    if (page.next === null) return { kind: 'read', pages, account };
    token = page.next;
  }
  return failReport('too_large');
};

/** Failures that pass. After another one the costs are used without tokens, because they are complete without them. */
const PASSING: ReadonlySet<ImportError> = new Set(['rate_limited', 'unavailable', 'slow']);

/**
 * Reads all pages of the report of a day, and those of its tokens if they are a report of their own. Pages start before
 * `until`, by the clock `now` (epoch milliseconds).
 */
export const reportReader =
  (deps: ReaderDeps) =>
  async (api: CostApi, { credential, day, until }: ReportRequest): Promise<ReadReport | ReportFailure> => {
    const headers = { ...COMMON_HEADERS, ...api.headersOf(credential) };
    const { pathOf, parsePage, accountHeader, usage } = api;
    const urlOf = (page: string | null) => `${api.baseUrl}${pathOf(day, page)}`;
    const costs = await readPages(deps, { urlOf, headers, accountHeader, parsePage }, until);
    if (costs.kind === 'failed') return costs;
    const buckets = costs.pages.flatMap((page) => page.buckets);
    const account = reportedAccount(buckets.flatMap(({ charges }) => charges)) ?? readAccount(costs.account);
    if (usage === undefined || buckets.every(({ charges }) => charges.length === 0)) {
      return { kind: 'read', buckets, account };
    }
    const usageReport = {
      urlOf: (page: string | null) => `${api.baseUrl}${usage.pathOf(day, page)}`,
      headers,
      accountHeader,
      parsePage: usage.parsePage,
    };
    const tokens = await readPages(deps, usageReport, until);
    if (tokens.kind === 'read') {
      const all = tokens.pages.flatMap((page) => page.tokens);
      return { kind: 'read', buckets: usage.addTokens(buckets, all), account };
    }
    return PASSING.has(tokens.error) ? tokens : { kind: 'read', buckets, account };
  };
