import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Call, isRefused } from '../tools/replay/row.ts';
import { openTrace } from '../tools/replay/trace.ts';
import { type Benchmark, benchmarks, selectBenchmarks } from './benchmarks.ts';
import { startMeasuredService } from './support/service.ts';
import { render, type Table } from './support/table.ts';
import { startReceiver } from './webhooks/webhookReceiver.ts';

const NAME_WIDTH = Math.max(...benchmarks.map(({ name }) => name.length));

const USAGE = `Usage: npm run bench -- [BENCHMARK …] [--quick] [--events N] [--trace FILE] [--json FILE]

Counts AWS calls and capacity units at the SDK, computes costs from list prices, and measures latency, throughput and CPU
time on the embedded engines. Timings depend on the machine: compare counts and ratios, not milliseconds.

Benchmarks (default: all):
${benchmarks.map(({ name, description }) => `  ${name.padEnd(NAME_WIDTH)}  ${description}`).join('\n')}

Options:
  --quick        fewer repetitions and smaller ledgers
  --events N     also run queries and exports on a ledger of N records, and backlog with N; N is a multiple of 1,000
  --trace FILE   send the calls of a trace in side-by-side and savings, in a format that npm run replay reads
  --json FILE    also write the results as JSON; default bench-results.json when all benchmarks run
  --help         print this text`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    events: { type: 'string' },
    trace: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** Ledger sizes in records, ascending. Throws a RangeError when `events` is not a multiple of 1,000. */
const sizesOf = (quick: boolean, events: string | undefined): number[] => {
  const additional = Number(events ?? 1_000);
  if (!Number.isSafeInteger(additional) || additional < 1_000 || additional % 1_000 !== 0) {
    throw new RangeError('--events must be a multiple of 1,000.');
  }
  return [...new Set([1_000, quick ? 3_000 : 10_000, additional])].sort((one, other) => one - other);
};

/** The calls of a trace file, without their times. */
const callsOf = async (file: string): Promise<Call[]> => {
  const trace = await openTrace(file, {});
  const calls: Call[] = [];
  for await (const row of trace.rows()) if (!isRefused(row)) calls.push(row.call);
  return calls;
};

/** Runs the benchmarks and prints each table as soon as it is complete. */
const run = async (selected: readonly Benchmark[], sizes: readonly number[]): Promise<void> => {
  const { quick } = values;
  const load = loadavg()[0];
  const calls = values.trace === undefined ? [] : await callsOf(values.trace);
  const receiver = await startReceiver();
  const service = await startMeasuredService({ WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: receiver.ca });
  const tables: Table[] = [];
  try {
    for (const benchmark of selected) {
      for (const result of await benchmark.run({ service, receiver, quick, sizes, calls })) {
        tables.push(result);
        console.info(render(result));
      }
    }
  } finally {
    receiver.stop();
    await service.stop();
  }
  const machine = { node: process.version, processor: cpus()[0]?.model, cores: availableParallelism(), load };
  const results = { taken: new Date().toISOString(), machine, quick, tables };
  // A partial run must not overwrite the results of a full run.
  const file = values.json ?? (positionals.length === 0 ? 'bench-results.json' : undefined);
  if (file === undefined) return;
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  console.info(`Results written to ${file}`);
};

const main = async (): Promise<number> => {
  if (values.help) {
    console.info(USAGE);
    return 0;
  }
  let selected: readonly Benchmark[];
  let sizes: readonly number[];
  try {
    selected = selectBenchmarks(positionals);
    sizes = sizesOf(values.quick, values.events);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    return 2;
  }
  await run(selected, sizes);
  return 0;
};

process.exit(await main());
