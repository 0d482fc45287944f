import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InvocationEvent } from '../schemas/ingestion/invocationEvent.ts';

/** Whether events name a trace: a span is held against the others of its trace, which takes calls of its own. */
export interface Tracing {
  readonly traced: boolean;
}

/** An event as producers send it, of ordinary size (about 550 bytes), made now; in a trace of its own or none. */
export const benchEvent = ({ traced }: Tracing = { traced: false }): InvocationEvent => {
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
    ...(traced && {
      trace_id: randomUUID().replaceAll('-', ''),
      span_id: randomUUID().replaceAll('-', '').slice(0, 16),
    }),
    tags: ['env:prod'],
  };
};

export const SINGLE = '/api/v1/invocations';
export const BATCH = '/api/v1/invocations/batch';

/** What a path takes: one event, or a batch of them. */
export const benchBody = (batch: number, tracing?: Tracing): object =>
  batch === 1 ? benchEvent(tracing) : { events: Array.from({ length: batch }, () => benchEvent(tracing)) };

export interface TimedResponse {
  readonly text: string;
  readonly milliseconds: number;
}

/** One HTTP call; throws on any status but 200, 202 and those of `also`. Waits as long as a 429 asks, untimed. */
export const request = async (
  url: string,
  key: string,
  body?: unknown,
  also: readonly number[] = [],
): Promise<TimedResponse & { readonly status: number }> => {
  const began = performance.now();
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-api-key': key,
      ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const milliseconds = performance.now() - began;
  if (response.status === 429) {
    await sleep(Number(response.headers.get('retry-after')) * 1_000);
    return request(url, key, body, also);
  }
  if (![200, 202, ...also].includes(response.status)) throw new Error(`${response.status}: ${text}`);
  return { status: response.status, text, milliseconds };
};

/** Runs `work` `times` times, `concurrency` at once; resolves to what each gave and the seconds of the whole. */
export const measure = async <Result>(
  times: number,
  concurrency: number,
  work: () => Promise<Result>,
): Promise<{ readonly results: Result[]; readonly seconds: number }> => {
  const results: Result[] = [];
  let left = times;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left > 0) {
        left -= 1;
        results.push(await work());
      }
    }),
  );
  return { results, seconds: (performance.now() - began) / 1_000 };
};
