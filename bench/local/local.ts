import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MeasuredService } from '../support/service.ts';
import { median, percentile } from '../support/statistics.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { BATCH, benchBody, measure, request } from '../support/traffic.ts';
import { subtractUsage, sumOf } from '../support/usage.ts';
import { type StartedService, startService } from './startedService.ts';

const SAMPLE_EVENTS = 3_600;
/** Longer than an unused environment stays. */
const SETTLE_MS = 75_000;
const IDLE_MS = 30_000;
const BATCH_EVENTS = 200;

const load = (): number => loadavg()[0] ?? 0;

const startRow = (name: string, { firstResponse, usage }: StartedService, limit: number): Row => ({
  what: name,
  seconds: firstResponse.seconds,
  'CPU s': firstResponse.cpuSeconds,
  MiB: usage().mebibytes,
  goal: `${goal(firstResponse.seconds, limit)} (s)`,
  load: load(),
});

/** A first and a second start, the sample, and the idle service, each as a user sees it. */
const benchFirstRun = async (): Promise<Table> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'attribution-local-'));
  const rows: Row[] = [];
  try {
    const first = await startService(dataDir, ['--no-sample']);
    rows.push(startRow('start, new data directory', first, 5));
    await first.stop();

    const startedAt = performance.now();
    const second = await startService(dataDir, []);
    rows.push(startRow('second start', second, 2));
    const before = second.usage().cpuSeconds;
    await second.printed('Next steps');
    const [seconds, after] = [(performance.now() - startedAt) / 1_000, second.usage()];
    rows.push({
      what: `sample of ${SAMPLE_EVENTS} events`,
      seconds,
      'CPU s': after.cpuSeconds - before,
      MiB: after.mebibytes,
      goal: `${goal(after.cpuSeconds - before, 30)} (CPU s)`,
      load: load(),
    });

    await sleep(SETTLE_MS);
    const settled = second.usage();
    await sleep(IDLE_MS);
    const idle = second.usage();
    const percent = ((idle.cpuSeconds - settled.cpuSeconds) / (IDLE_MS / 1_000)) * 100;
    rows.push({
      what: 'idle after the sample',
      seconds: IDLE_MS / 1_000,
      'CPU s': idle.cpuSeconds - settled.cpuSeconds,
      MiB: idle.mebibytes,
      goal: `${goal(idle.mebibytes, 500)} (MiB), ${goal(percent, 3)} (% of a core)`,
      load: load(),
    });
    await second.stop();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return table(
    'npm start: first run',
    rows,
    'CPU and memory of all processes of the service. The functions were built before, as npm ci does.',
  );
};

/** Events of the present minute, from the first request until every rollup is computed. */
const benchThroughput = async (service: MeasuredService, events: number): Promise<Table[]> => {
  const url = service.runtime.baseUrl + BATCH;
  const [usageBefore, cpuBefore] = [service.usage(), process.cpuUsage()];
  const { seconds: sent } = await measure(events / BATCH_EVENTS, 2, () =>
    request(url, service.sender.api_keys.ingest, benchBody(BATCH_EVENTS, { traced: 1 })),
  );
  const sentAt = performance.now();
  await service.runtime.idle();
  const recorded = sent + (performance.now() - sentAt) / 1_000;
  await service.runtime.idle({ delayed: true });
  const totalled = sent + (performance.now() - sentAt) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuMs = (user + system) / 1_000 / events;
  const used = subtractUsage(usageBefore, service.usage());
  return [
    table(
      `Throughput of one machine: ${events} events of the present minute, each with a trace`,
      [
        {
          'events/s': events / recorded,
          goal: events / recorded >= 300 ? '≥ 300 met' : '≥ 300 MISSED',
          'CPU ms/event': cpuMs,
          'goal CPU': goal(cpuMs, 5),
          'totals after s': totalled - recorded,
          'goal totals': goal(totalled - recorded, 30),
          load: load(),
        },
      ],
      'CPU of the service and this benchmark, without the database engine, which is another process.',
    ),
    table(
      'CPU and AWS calls per event, by function',
      Object.entries(used)
        .filter(([, { invocations }]) => invocations > 0)
        .map(([name, usage]) => ({
          function: name.replace(/Function[0-9A-F]{8}$/, ''),
          invocations: usage.invocations,
          'CPU ms/event': usage.cpuMicros / 1_000 / events,
          'calls/event': sumOf({ [name]: usage }, /./) / events,
        })),
    ),
  ];
};

const PAGE = '/v1/attribution?sort=-occurred_at&limit=200';
/** Responses that a reader under load must never get. */
const UNAVAILABLE = [500, 502, 503, 504];

/** One reader of full pages, from the first request of a load until its last event is recorded. */
const benchPagesUnderLoad = async (service: MeasuredService, events: number): Promise<Table> => {
  const { baseUrl } = service.runtime;
  let isDone = false;
  const recorded = measure(events / BATCH_EVENTS, 2, () =>
    request(baseUrl + BATCH, service.sender.api_keys.ingest, benchBody(BATCH_EVENTS, { traced: 1 })),
  )
    .then(() => service.runtime.idle())
    .finally(() => {
      isDone = true;
    });
  const times: number[] = [];
  let refused = 0;
  while (!isDone) {
    const page = await request(baseUrl + PAGE, service.sender.api_keys.read, undefined, UNAVAILABLE);
    times.push(page.milliseconds);
    if (page.status !== 200) refused += 1;
  }
  await recorded;
  await service.runtime.idle({ delayed: true });
  const p95 = percentile(times, 0.95);
  return table(`Pages of 200 records while ${events} events are recorded`, [
    {
      pages: times.length,
      'p50 ms': median(times),
      'p95 ms': p95,
      goal: goal(p95, 1_000),
      refused,
      'goal refused': goal(refused, 0),
      load: load(),
    },
  ]);
};

/** What a developer waits for on one machine, and what an event costs there. */
export const benchLocal = async (service: MeasuredService, events: number): Promise<Table[]> => [
  await benchFirstRun(),
  ...(await benchThroughput(service, events)),
  await benchPagesUnderLoad(service, events),
];
