import { randomUUID } from 'node:crypto';

/** An event as producers send it, of ordinary size (about 400 bytes). */
export const benchEvent = (): Record<string, unknown> => ({
  event_id: randomUUID(),
  ingestion_layer: 'gateway',
  ingestion_timestamp: new Date().toISOString(),
  provider: 'openai',
  requested_model: 'gpt-4o',
  input_tokens: 1_200,
  cached_input_tokens: 400,
  output_tokens: 350,
  latency_ms: 2_900,
  region: 'us-east-1',
  attributed_identity: 'team-search',
  attributed_service: 'ranking',
  trace_id: randomUUID().replaceAll('-', ''),
});

/** One HTTP call; throws on any status but the expected one. Resolves to the body and the milliseconds it took. */
export const request = async (
  url: string,
  key: string,
  body?: unknown,
): Promise<{ readonly text: string; readonly milliseconds: number }> => {
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
  if (response.status !== (body === undefined ? 200 : 202)) throw new Error(`${response.status}: ${text}`);
  return { text, milliseconds: performance.now() - began };
};

/** Runs `work` `times` times, `concurrency` at once; resolves to the milliseconds each took and the whole. */
export const measure = async (
  times: number,
  concurrency: number,
  work: () => Promise<{ readonly milliseconds: number }>,
): Promise<{ readonly each: number[]; readonly seconds: number }> => {
  const each: number[] = [];
  let left = times;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left > 0) {
        left -= 1;
        each.push((await work()).milliseconds);
      }
    }),
  );
  return { each, seconds: (performance.now() - began) / 1_000 };
};

/** The value below which `share` of the values lie. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
