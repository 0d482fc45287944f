import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { MeasuredService } from '../support/service.ts';
import { median } from '../support/statistics.ts';
import { type Table, table } from '../support/table.ts';
import { BATCH, benchBody, measure, request, SINGLE } from '../support/traffic.ts';
import { processTreeUsage } from './processTree.ts';

const ROUNDS = 3;
const CONCURRENCY = { single: 16, batches: 4 } as const;
const BATCH_EVENTS = 100;

interface Throughput {
  readonly eventsPerSecond: number;
  /** Of all processes, with the one that sends. */
  readonly cpuMs: number;
}

interface Target {
  readonly baseUrl: string;
  readonly key: string;
  /** Resolves when everything that was accepted is stored. */
  readonly idle: () => Promise<void>;
}

const throughputOf = async (
  { baseUrl, key, idle }: Target,
  kind: keyof typeof CONCURRENCY,
  events: number,
): Promise<Throughput> => {
  const batch = kind === 'single' ? 1 : BATCH_EVENTS;
  const url = baseUrl + (kind === 'single' ? SINGLE : BATCH);
  const startedAt = performance.now();
  const before = processTreeUsage(process.pid).cpuSeconds;
  await measure(events / batch, CONCURRENCY[kind], () => request(url, key, benchBody(batch)));
  await idle();
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuSeconds = processTreeUsage(process.pid).cpuSeconds - before;
  return { eventsPerSecond: events / seconds, cpuMs: (cpuSeconds * 1_000) / events };
};

const startBaseline = async (folder: string) => {
  const child = fork(join(import.meta.dirname, 'baseline.child.ts'), [folder], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const [address] = await once(child, 'message');
  const { port } = z.object({ port: z.number() }).parse(address);
  return {
    target: { baseUrl: `http://127.0.0.1:${port}`, key: '', idle: async () => undefined },
    stop: () => child.kill(),
  };
};

/**
 * Events a second and CPU time of an event, from the first request until the last record is stored, compared with a server
 * that only keeps events in SQLite. Both run in turn, so that the load of the machine affects them equally.
 */
export const benchBaseline = async (service: MeasuredService, events: number): Promise<Table> => {
  const baseline = await startBaseline(service.folder);
  const own: Target = {
    baseUrl: service.runtime.baseUrl,
    key: service.sender.api_keys.ingest,
    idle: () => service.runtime.idle(),
  };
  const rows = [];
  for (const kind of ['single', 'batches'] as const) {
    const rounds: { readonly service: Throughput; readonly baseline: Throughput }[] = [];
    // The first round is a warm-up.
    for (let round = -1; round < ROUNDS; round += 1) {
      const measured = {
        service: await throughputOf(own, kind, events),
        baseline: await throughputOf(baseline.target, kind, 5 * events),
      };
      if (round >= 0) rounds.push(measured);
    }
    const medianOf = (read: (round: (typeof rounds)[number]) => number): number => median(rounds.map(read));
    rows.push({
      requests: kind === 'single' ? 'one event' : `batches of ${BATCH_EVENTS}`,
      'events/s': medianOf((round) => round.service.eventsPerSecond),
      'CPU ms/event': medianOf((round) => round.service.cpuMs),
      'baseline events/s': medianOf((round) => round.baseline.eventsPerSecond),
      'baseline CPU ms/event': medianOf((round) => round.baseline.cpuMs),
      'CPU ratio': medianOf((round) => round.service.cpuMs / round.baseline.cpuMs),
      load: loadavg()[0] ?? 0,
    });
  }
  baseline.stop();
  return table(
    'One machine, compared with a server that only keeps events',
    rows,
    `Medians of ${ROUNDS} rounds. CPU of all processes, the database engine and the sender included. The baseline has one table in SQLite`,
    'with a key, written to disk for each request. It has no credentials, limits, attribution, prices, sums or traces.',
  );
};
