import type { MeasuredService } from '../support/service.ts';
import { latencies } from '../support/statistics.ts';
import { type Row, type Table, table } from '../support/table.ts';

const PATH = '/v1/attribution?limit=1';
const FLOOD_CONCURRENCY = 8;

interface ReadStatistics {
  readonly latenciesMs: number[];
  readonly throttled: number;
  readonly lowestRemaining: number;
}

const read = async (url: string, key: string, times: number): Promise<ReadStatistics> => {
  const latenciesMs: number[] = [];
  let throttled = 0;
  let lowestRemaining = Number.POSITIVE_INFINITY;
  for (let count = 0; count < times; count += 1) {
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { 'x-api-key': key } });
    await response.text();
    latenciesMs.push(performance.now() - startedAt);
    throttled += response.status === 429 ? 1 : 0;
    lowestRemaining = Math.min(lowestRemaining, Number(response.headers.get('ratelimit-remaining')));
  }
  return { latenciesMs, throttled, lowestRemaining };
};

/** Read latency of one tenant, alone and while another tenant sends requests as fast as possible. */
export const benchNoisyNeighbour = async (service: MeasuredService, times: number): Promise<Table> => {
  const { runtime, sender, reader } = service;
  const url = runtime.baseUrl + PATH;
  const alone = await read(url, reader.api_keys.read, times);

  const flood = { running: true, sent: 0, throttled: 0 };
  const flooders = Array.from({ length: FLOOD_CONCURRENCY }, async () => {
    while (flood.running) {
      const response = await fetch(url, { headers: { 'x-api-key': sender.api_keys.read } });
      await response.text();
      flood.sent += 1;
      flood.throttled += response.status === 429 ? 1 : 0;
    }
  });
  const startedAt = performance.now();
  const duringFlood = await read(url, reader.api_keys.read, times);
  flood.running = false;
  await Promise.all(flooders);
  const seconds = (performance.now() - startedAt) / 1_000;

  const rowOf = (when: string, { latenciesMs, throttled, lowestRemaining }: ReadStatistics): Row => ({
    when,
    reads: latenciesMs.length,
    throttled,
    'lowest remaining': lowestRemaining,
    ...latencies(latenciesMs),
  });
  return table(
    'Noisy neighbour: reads of one tenant while another floods the API',
    [rowOf('alone', alone), rowOf('during the flood', duringFlood)],
    `The flood: ${Math.round(flood.sent / seconds)} requests/s, ${flood.throttled} of ${flood.sent} throttled by its own bucket.`,
    'The rate limit of the reading tenant is unaffected. Both tenants share two cores and four environments per function here.',
  );
};
