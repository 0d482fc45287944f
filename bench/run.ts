import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAnomalyQuality } from './anomalyQuality.ts';
import { benchAttributionEngine } from './attributionEngine.ts';
import { benchAuthenticationTiming } from './authenticationTiming.ts';
import { benchModel } from './benchModel.ts';
import { benchBundles } from './bundles.ts';
import { benchCapacity } from './capacity.ts';
import { benchCpu } from './cpu.ts';
import { benchDeliveries } from './deliveries.ts';
import { benchExports } from './exports.ts';
import { ingestAll } from './ingestion.ts';
import { ingestionTables } from './ingestionTables.ts';
import { benchNeighbours } from './noisyNeighbour.ts';
import { benchPages } from './pages.ts';
import { benchPipeline } from './pipeline.ts';
import { benchQueueBatches } from './queueBatch.ts';
import { benchRollups } from './rollups.ts';
import { type MeasuredService, startMeasuredService } from './service.ts';
import { render, type Table } from './table.ts';
import { benchVisibility } from './visibility.ts';
import { type Receiver, startReceiver } from './webhookReceiver.ts';

const USAGE = `Usage: npm run bench -- [MEASURE …] [--quick] [--events N] [--json FILE]

Counts AWS calls and capacity units at the SDK, prices them by the list, and measures latency, throughput and CPU
on the embedded engines. Machines differ and are noisy: compare counts and ratios, not milliseconds.

  MEASURE        any of cpu, engine, ingestion, onion, authentication, neighbours, visibility, pages,
                 deliveries, rollups, exports, anomalies, capacity and bundles; default all
  --quick        fewer events and smaller lists
  --events N     reads a list of N records, and exports N, as well; a multiple of 1,000
  --json FILE    where the same goes as JSON; default bench-results.json where everything is measured`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    events: { type: 'string' },
    json: { type: 'string' },
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

/** Exports are of ledgers that fill what their steps hold at once, or none would tell how memory grows. */
const exportSizesOf = (quick: boolean, sizes: readonly number[]): number[] => {
  const usual = quick ? [10_000] : [50_000, 100_000];
  return [...usual, ...sizes.filter((size) => size > Math.max(...usual))];
};

/** By name, the quiet ones first: they go over one instance. */
const measuresOf = (quick: boolean, sizes: readonly number[], receiver: Receiver) =>
  ({
    cpu: async (service) => [await benchCpu(service, quick ? 50 : 150)],
    engine: async (service) => {
      const model = benchModel(quick ? 20_000 : 100_000, quick ? 5_000 : 20_000);
      return [
        ...(await benchAttributionEngine(model, quick ? 1_000 : 3_000)),
        ...(await benchQueueBatches(service, model, quick ? 50 : 200)),
      ];
    },
    ingestion: async (service) => ingestionTables(await ingestAll(service, quick)),
    onion: async (service) => [await benchPipeline(service, quick ? 30 : 200)],
    authentication: async (service) => [await benchAuthenticationTiming(service, quick ? 900 : 10_000)],
    neighbours: async (service) => [await benchNeighbours(service, quick ? 50 : 300)],
    visibility: async (service) => [await benchVisibility(service, quick ? 20 : 100)],
    pages: async (service) => benchPages(service, sizes, quick ? 15 : 40),
    deliveries: (service) => benchDeliveries(service, receiver, quick),
    rollups: (service) => benchRollups(service, quick ? 2 : 5),
    exports: (service) => benchExports(service, exportSizesOf(quick, sizes)),
    anomalies: async () => [benchAnomalyQuality(quick ? 5 : 25)],
    capacity: async (service) => [await benchCapacity(service)],
    bundles: async (service) => [benchBundles(service)],
  }) satisfies Readonly<Record<string, (service: MeasuredService) => Promise<Table[]>>>;

/** The measures asked for, in their own order. */
const selectMeasures = (requested: readonly string[], receiver: Receiver) => {
  const sizes = sizesOf(values.quick, values.events);
  const measures = Object.entries(measuresOf(values.quick, sizes, receiver));
  const unknown = requested.filter((name) => !measures.some(([known]) => known === name));
  if (unknown.length > 0) throw new Error(`there is no measure ${unknown.join(', ')}; see --help`);
  return measures.filter(([name]) => requested.length === 0 || requested.includes(name));
};

/** Each table is printed as soon as it is taken. */
const run = async (): Promise<void> => {
  const load = loadavg()[0];
  const receiver = await startReceiver();
  const measures = selectMeasures(positionals, receiver);
  const service = await startMeasuredService({ WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: receiver.ca });
  const tables: Table[] = [];
  try {
    for (const [, measure] of measures) {
      for (const one of await measure(service)) {
        tables.push(one);
        console.info(render(one));
      }
    }
  } finally {
    receiver.stop();
    await service.stop();
  }
  const machine = { node: process.version, processor: cpus()[0]?.model, cores: availableParallelism(), load };
  const results = { taken: new Date().toISOString(), machine, quick: values.quick, tables };
  // Some measures alone must not take the place of all.
  const file = values.json ?? (positionals.length === 0 ? 'bench-results.json' : undefined);
  if (file === undefined) return;
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  console.info(`Written to ${file}`);
};

if (values.help) console.info(USAGE);
else await run();
process.exit();
