import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAuthenticationTiming } from './authenticationTiming.ts';
import { benchBundles } from './bundles.ts';
import { benchCapacity } from './capacity.ts';
import { benchCpu } from './cpu.ts';
import { benchEngine } from './engine.ts';
import { ingestAll } from './ingestion.ts';
import { ingestionTables } from './ingestionTables.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchOnion } from './onion.ts';
import { benchPages } from './pages.ts';
import { startMeasured } from './service.ts';
import { render, type Table } from './table.ts';
import { benchVisibility } from './visibility.ts';

const USAGE = `Usage: npm run bench -- [--quick] [--events N] [--json FILE]

Counts AWS calls and capacity units at the SDK, prices them by the list, and measures latency, throughput and CPU
on the embedded engines. Machines differ and are noisy: compare counts and ratios, not milliseconds.

  --quick        fewer events and smaller lists
  --events N     reads a list of N records as well, a multiple of 1,000
  --json FILE    where the same goes as JSON; default bench-results.json`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    events: { type: 'string' },
    json: { type: 'string', default: 'bench-results.json' },
    help: { type: 'boolean', default: false },
  },
});

const sizesOf = (quick: boolean, events: string | undefined): number[] => {
  const more = Number(events ?? 1_000);
  if (!Number.isSafeInteger(more) || more < 1_000 || more % 1_000 !== 0) {
    throw new Error('--events takes a multiple of 1,000');
  }
  return [...new Set([1_000, quick ? 3_000 : 10_000, more])].sort((one, other) => one - other);
};

/** Every measure over one instance, the quiet ones first; each is printed as soon as it is taken. */
const run = async (): Promise<void> => {
  const sizes = sizesOf(values.quick, values.events);
  const load = loadavg()[0];
  const service = await startMeasured();
  const tables: Table[] = [];
  const show = (...found: readonly Table[]): void => {
    tables.push(...found);
    for (const one of found) console.info(render(one));
  };
  try {
    show(await benchCpu(service, values.quick ? 50 : 150));
    show(await benchEngine());
    show(...ingestionTables(await ingestAll(service, values.quick)));
    show(await benchOnion(service, values.quick ? 30 : 200));
    show(await benchAuthenticationTiming(service, values.quick ? 900 : 10_000));
    show(await benchNeighbours(service, values.quick ? 50 : 300));
    show(await benchVisibility(service, values.quick ? 20 : 100));
    show(...(await benchPages(service, sizes, values.quick ? 15 : 40)));
    show(await benchCapacity(service));
    show(benchBundles(service));
  } finally {
    await service.stop();
  }
  const machine = { node: process.version, processor: cpus()[0]?.model, cores: availableParallelism(), load };
  const results = { taken: new Date().toISOString(), machine, quick: values.quick, tables };
  writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
  console.info(`Written to ${values.json}`);
};

if (values.help) console.info(USAGE);
else await run();
process.exit();
