import type { MeasuredService } from './service.ts';
import { latencies } from './statistics.ts';
import { type Row, type Table, table } from './table.ts';

const PATH = '/v1/attribution?limit=1';
const FLOODERS = 8;

interface ReadStatistics {
  readonly each: number[];
  readonly refused: number;
  readonly leastRemaining: number;
}

const read = async (url: string, key: string, times: number): Promise<ReadStatistics> => {
  const each: number[] = [];
  let refused = 0;
  let leastRemaining = Number.POSITIVE_INFINITY;
  for (let count = 0; count < times; count += 1) {
    const began = performance.now();
    const response = await fetch(url, { headers: { 'x-api-key': key } });
    await response.text();
    each.push(performance.now() - began);
    refused += response.status === 429 ? 1 : 0;
    leastRemaining = Math.min(leastRemaining, Number(response.headers.get('ratelimit-remaining')));
  }
  return { each, refused, leastRemaining };
};

/** One tenant asks as fast as it can while another reads at its own pace: what the other notices of it. */
export const benchNeighbours = async (service: MeasuredService, times: number): Promise<Table> => {
  const { runtime, sender, reader } = service;
  const url = runtime.baseUrl + PATH;
  const quiet = await read(url, reader.api_keys.read, times);

  const flood = { running: true, sent: 0, refused: 0 };
  const flooders = Array.from({ length: FLOODERS }, async () => {
    while (flood.running) {
      const response = await fetch(url, { headers: { 'x-api-key': sender.api_keys.read } });
      await response.text();
      flood.sent += 1;
      flood.refused += response.status === 429 ? 1 : 0;
    }
  });
  const began = performance.now();
  const beside = await read(url, reader.api_keys.read, times);
  flood.running = false;
  await Promise.all(flooders);
  const seconds = (performance.now() - began) / 1_000;

  const rowOf = (when: string, { each, refused, leastRemaining }: ReadStatistics): Row => ({
    when,
    reads: each.length,
    refused,
    'least remaining': leastRemaining,
    ...latencies(each),
  });
  return table(
    'A tenant beside another that floods',
    [rowOf('alone', quiet), rowOf('beside the flood', beside)],
    `The flood: ${Math.round(flood.sent / seconds)} requests/s, ${flood.refused} of ${flood.sent} refused by its own bucket.`,
    'The budget is untouched; the latency is that of one machine whose two cores and four environments a function both share.',
  );
};
