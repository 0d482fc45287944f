import { packMessages } from '../functions/ingestion/message.ts';
import { callRows, consumptionOf, difference } from './consumption.ts';
import { type CostRow, costRows, totalOf } from './costModel.ts';
import type { MeasuredService } from './service.ts';
import { benchEvent, measure, percentile, request } from './traffic.ts';

export interface IngestionResult {
  readonly way: string;
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly calls: ReturnType<typeof callRows>;
  readonly cost: CostRow[];
  readonly usdPerMillion: number;
  readonly goal: number | null;
}

interface Way {
  readonly name: string;
  readonly batch: number;
  readonly concurrency: number;
  readonly share: number;
  readonly goal: number | null;
}

const ways: readonly Way[] = [
  { name: 'HTTP, single', batch: 1, concurrency: 8, share: 1, goal: 4.0 },
  { name: 'HTTP, batches of 10', batch: 10, concurrency: 4, share: 1, goal: null },
  { name: 'HTTP, batches of 100', batch: 100, concurrency: 2, share: 2, goal: 1.6 },
];

/** Sends events each way, waits until every one is a record, and prices what was counted meanwhile. */
export const benchIngestion = async (
  service: MeasuredService,
  events: number,
): Promise<IngestionResult[]> => {
  const { runtime, credentials } = service;
  const key = credentials.tenants[0]?.api_keys.ingest ?? '';
  const usage = () => runtime.usage?.() ?? {};
  const results: IngestionResult[] = [];
  for (const { name, batch, concurrency, share, goal } of ways) {
    const requests = Math.ceil((events * share) / batch);
    const path = batch === 1 ? '/api/v1/invocations' : '/api/v1/invocations/batch';
    const one = () => {
      const body = batch === 1 ? benchEvent() : { events: Array.from({ length: batch }, benchEvent) };
      return request(runtime.baseUrl + path, key, body);
    };
    // Cold starts and the first key look-ups are not what a million events cost.
    await measure(Math.ceil(requests / 10), concurrency, one);
    await runtime.idle();

    const before = usage();
    const { each, seconds } = await measure(requests, concurrency, one);
    await runtime.idle();
    const used = difference(before, usage());

    const sent = Array.from({ length: batch }, () => JSON.stringify(benchEvent()));
    const bodies = packMessages('acme', Date.now(), sent);
    const cost = costRows(
      consumptionOf(used, {
        events: requests * batch,
        httpRequests: requests,
        messages: requests * bodies.length,
        messageBytes: Math.max(...bodies.map((body) => Buffer.byteLength(body))),
      }),
    );
    results.push({
      way: name,
      events: requests * batch,
      eventsPerSecond: (requests * batch) / seconds,
      p50: percentile(each, 0.5),
      p95: percentile(each, 0.95),
      p99: percentile(each, 0.99),
      calls: callRows(used, requests * batch),
      cost,
      usdPerMillion: totalOf(cost),
      goal,
    });
  }
  return results;
};

/** Milliseconds from the 202 to the record in the list, one event at a time beside a steady trickle. */
export const benchVisibility = async (service: MeasuredService, samples: number) => {
  const { runtime, credentials } = service;
  const keys = credentials.tenants[0]?.api_keys;
  const waits: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const event = benchEvent();
    await request(`${runtime.baseUrl}/api/v1/invocations`, keys?.ingest ?? '', event);
    const accepted = performance.now();
    for (;;) {
      const { text } = await request(`${runtime.baseUrl}/v1/attribution?limit=5`, keys?.read ?? '');
      if (text.includes(String(event['event_id']))) break;
    }
    waits.push(performance.now() - accepted);
  }
  return { samples, p50: percentile(waits, 0.5), p99: percentile(waits, 0.99), goal: 2_000 };
};
