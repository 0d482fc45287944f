import { createHash } from 'node:crypto';
import { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { PAGE_SIZE_MAXIMUM, pageOf } from '../../schemas/page.ts';
import { listAttribution } from '../../schemas/routes/attribution/attribution.ts';
import { disputeAttribution } from '../../schemas/routes/attribution/corrections.ts';
import { createIdentityMapping } from '../../schemas/routes/attribution/mappings.ts';
import { InvocationBatchAccepted, postInvocationBatch } from '../../schemas/routes/ingest/events.ts';
import { createBudget } from '../../schemas/routes/insight/budgets.ts';
import { getHealth } from '../../schemas/routes/platform/contract.ts';
import { RequestRejected } from './errors.ts';
import { sendWithRetries, type Transport } from './request.ts';
import { wait } from './wait.ts';

const DEFAULT_RETRY_BUDGET_MS = 60_000;
/** Enough for a service that is starting, and short for a user who forgot to start it. */
const HEALTH_CHECK_BUDGET_MS = 2_000;

/** A time range in epoch milliseconds. Both ends are inclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The API client of the commands. Every method may throw the errors of `sendWithRetries`. */
export interface ServiceClient {
  /** Resolves if the address answers with any status. Otherwise throws ServiceUnreachable after a short time. */
  checkHealth(): Promise<void>;
  /** Sends up to 1,000 events. Resolves when each is durably queued or rejected. */
  postBatch(events: readonly InvocationEvent[], signal?: AbortSignal): Promise<InvocationBatchAccepted>;
  /** Creates an identity mapping. Idempotent for the same mapping within a day. */
  createMapping(mapping: object, signal?: AbortSignal): Promise<void>;
  /** Creates a budget. Idempotent for the same budget within a day. */
  createBudget(budget: object, signal?: AbortSignal): Promise<void>;
  /** Disputes a record by its id. Idempotent for the same dispute within a day. */
  createDispute(record: string, dispute: object, signal?: AbortSignal): Promise<void>;
  /** Every record of a period, from all pages, oldest or newest first. */
  records(
    period: Period,
    order: 'oldest first' | 'newest first',
    signal?: AbortSignal,
  ): AsyncGenerator<AttributionRecord>;
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly transport?: Partial<Transport>;
}

const Page = pageOf(AttributionRecord, 'AttributionPage');

/**
 * An Idempotency-Key derived from the body. A retry, even by another process, has the same key. A changed batch has
 * another key.
 */
const idempotencyKey = (body: string): string =>
  `batch-${createHash('sha256').update(body).digest('base64url')}`;

/** The URL of a route. The base URL may contain a path. */
const address = (baseUrl: string, path: string): URL => new URL(`${baseUrl.replace(/\/+$/, '')}${path}`);

export const createClient = ({
  baseUrl,
  apiKey,
  transport: overrides = {},
}: ClientOptions): ServiceClient => {
  const transport: Transport = {
    fetch: globalThis.fetch,
    wait,
    random: Math.random,
    retryBudgetMs: DEFAULT_RETRY_BUDGET_MS,
    ...overrides,
  };
  const post = (path: string, value: object, signal: AbortSignal | undefined): Promise<unknown> => {
    const body = JSON.stringify(value);
    const headers = {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey(body),
    };
    return sendWithRetries({ method: 'POST', url: address(baseUrl, path), headers, body }, transport, signal);
  };
  return {
    async checkHealth() {
      const request = { method: getHealth.method, url: address(baseUrl, getHealth.path), headers: {} };
      await sendWithRetries(request, { ...transport, retryBudgetMs: HEALTH_CHECK_BUDGET_MS }).catch(
        (fault: unknown) => {
          if (!(fault instanceof RequestRejected)) throw fault;
        },
      );
    },

    async postBatch(events, signal) {
      return InvocationBatchAccepted.parse(await post(postInvocationBatch.path, { events }, signal));
    },

    async createMapping(mapping, signal) {
      await post(createIdentityMapping.path, mapping, signal);
    },

    async createBudget(budget, signal) {
      await post(createBudget.path, budget, signal);
    },

    async createDispute(record, dispute, signal) {
      await post(disputeAttribution.path.replace('{id}', record), dispute, signal);
    },

    async *records({ from, to }, order, signal) {
      let cursor: string | null = null;
      do {
        const url = address(baseUrl, listAttribution.path);
        url.searchParams.set('occurred_at[gte]', new Date(from).toISOString());
        url.searchParams.set('occurred_at[lte]', new Date(to).toISOString());
        url.searchParams.set('sort', order === 'oldest first' ? 'occurred_at' : '-occurred_at');
        url.searchParams.set('limit', String(PAGE_SIZE_MAXIMUM));
        if (cursor !== null) url.searchParams.set('cursor', cursor);
        const request = { method: listAttribution.method, url, headers: { 'x-api-key': apiKey } };
        const { data, page } = Page.parse(await sendWithRetries(request, transport, signal));
        yield* data;
        cursor = page.has_more ? page.next_cursor : null;
      } while (cursor !== null);
    },
  };
};
