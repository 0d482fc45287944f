import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { benchBundles } from './bundles.ts';
import { benchCpu } from './cpu.ts';
import { benchEngine } from './engine.ts';
import { benchIngestion, benchVisibility } from './ingestion.ts';
import { benchPages, countRecords, seed } from './pages.ts';
import { startMeasured } from './service.ts';

const USAGE = `Usage: npm run bench -- [--quick] [--events N] [--json FILE]

Counts AWS calls and capacity units at the SDK, prices them by the list, and measures latency, throughput and CPU
on the embedded engines. Machines differ and are noisy: compare counts and ratios, not milliseconds.

  --quick        a tenth of the events
  --events N     events for each way of sending; default 3,000
  --json FILE    where the same goes as JSON; default bench-results.json`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    events: { type: 'string', default: '3000' },
    json: { type: 'string', default: 'bench-results.json' },
    help: { type: 'boolean', default: false },
  },
});

/** Three significant digits, so that columns can be compared at a glance. */
const rounded = (rows: readonly object[]) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(3)) : value,
      ]),
    ),
  );

const show = (title: string, rows: readonly object[]): void => {
  console.info(`\n${title}`);
  console.table(rounded(rows));
};

const run = async (): Promise<void> => {
  const events = Math.max(100, Math.ceil(Number(values.events) / (values.quick ? 10 : 1)));
  const service = await startMeasured();
  try {
    const cpu = await benchCpu(service, values.quick ? 40 : 200);
    const firstPages = await benchPages(service, await seed(service));
    const ingestion = await benchIngestion(service, events);
    const visibility = await benchVisibility(service, values.quick ? 20 : 100);
    const ledger = await countRecords(service);
    const pages = [...firstPages, ...(await benchPages(service, ledger))];
    const engine = await benchEngine();
    const bundles = benchBundles(service.assets);

    for (const { way, calls, cost, usdPerMillion, goal } of ingestion) {
      show(`${way}: AWS calls and capacity units for one event`, calls);
      show(`${way}: USD for a million events (goal ${goal ?? 'none'})`, [
        ...cost.filter(({ usd }) => usd >= 0.0005),
        { item: 'Total, index writes apart', usd: usdPerMillion },
      ]);
    }
    show(
      'Ingestion: throughput and latency (ms for a request)',
      ingestion.map(({ way, events: sent, eventsPerSecond, p50, p95, p99 }) => ({
        way,
        events: sent,
        'events/s': Math.round(eventsPerSecond),
        p50,
        p95,
        p99,
      })),
    );
    show('From accepted to readable (ms)', [visibility]);
    show('Reading: ledger queries and read units of one page of 50, and its latency (ms)', pages);
    show('CPU of ingestion against a handler that only parses and validates', cpu);
    show('CPU of the engine', engine);
    show('Bundles', bundles);

    const results = {
      taken: new Date().toISOString(),
      node: process.version,
      cores: availableParallelism(),
      ingestion,
      visibility,
      pages,
      cpu,
      engine,
      bundles,
    };
    writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
    console.info(`\nWritten to ${values.json}`);
  } finally {
    await service.stop();
  }
};

if (values.help) console.info(USAGE);
else await run();
process.exit();
