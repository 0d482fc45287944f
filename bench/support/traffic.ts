import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';

/** Which share of the events carries a trace id, 0 to 1. Trace correlation needs additional AWS calls. */
export interface Tracing {
  readonly traced: number;
}

let generated = 0;
/** Whether the next event is traced: evenly spread, so that a short run has the share too. */
const isNextTraced = (share: number): boolean => {
  generated += 1;
  return Math.floor(generated * share) > Math.floor((generated - 1) * share);
};

/** A typical event of about 550 bytes that occurred now. A traced one has its own trace. */
export const benchEvent = ({ traced }: Tracing = { traced: 0 }): InvocationEvent => {
  const now = new Date().toISOString();
  return {
    event_id: randomUUID(),
    ingestion_layer: 'gateway',
    ingestion_timestamp: now,
    occurred_at: now,
    provider: 'openai',
    requested_model: 'gpt-4o',
    operation: 'chat',
    region: 'us-east-1',
    input_tokens: 1_200,
    cached_input_tokens: 400,
    output_tokens: 350,
    latency_ms: 2_900,
    status: 'ok',
    pathway_category: 'gateway_mediated',
    attributed_identity: 'team-search',
    attributed_service: 'ranking',
    ...(isNextTraced(traced) && {
      trace_id: randomUUID().replaceAll('-', ''),
      span_id: randomUUID().replaceAll('-', '').slice(0, 16),
    }),
    tags: ['env:prod'],
  };
};

export const SINGLE = '/api/v1/invocations';
export const BATCH = '/api/v1/invocations/batch';

/** The request body for `batch` events: a single event for 1, otherwise a batch. */
export const benchBody = (batch: number, tracing?: Tracing): object =>
  batch === 1 ? benchEvent(tracing) : { events: Array.from({ length: batch }, () => benchEvent(tracing)) };

export interface TimedResponse {
  readonly text: string;
  readonly milliseconds: number;
}

/** A single event is sent with its id as the key, as the documentation says. Any other request has a new one. */
const keyOf = (body: unknown): string => {
  const id = typeof body === 'object' && body !== null && 'event_id' in body ? body.event_id : undefined;
  return typeof id === 'string' ? id : randomUUID();
};

/**
 * Sends one HTTP request. Throws on a status other than 200, 202 and those of `acceptedStatuses`. After a 429, and after a 503
 * of a machine that is too busy, it waits for Retry-After and sends again, as clients do. The wait is not part of the measured time.
 */
export const request = async (
  url: string,
  key: string,
  body?: unknown,
  acceptedStatuses: readonly number[] = [],
): Promise<TimedResponse & { readonly status: number }> => {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-api-key': key,
      ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': keyOf(body) }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const milliseconds = performance.now() - startedAt;
  const isRefused = response.status === 429 || response.status === 503;
  if (isRefused && !acceptedStatuses.includes(response.status)) {
    await sleep(Number(response.headers.get('retry-after')) * 1_000);
    return request(url, key, body, acceptedStatuses);
  }
  if (![200, 202, ...acceptedStatuses].includes(response.status))
    throw new Error(`unexpected status ${response.status}: ${text}`);
  return { status: response.status, text, milliseconds };
};

/** Runs `work` `times` times with the given concurrency. Resolves to all results and the total seconds. */
export const measure = async <Result>(
  times: number,
  concurrency: number,
  work: () => Promise<Result>,
): Promise<{ readonly results: Result[]; readonly seconds: number }> => {
  const results: Result[] = [];
  let remaining = times;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (remaining > 0) {
        remaining -= 1;
        results.push(await work());
      }
    }),
  );
  return { results, seconds: (performance.now() - startedAt) / 1_000 };
};
