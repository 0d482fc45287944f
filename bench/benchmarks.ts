import type { Call } from '../tools/replay/row.ts';
import { benchAuthenticationTiming } from './api/authenticationTiming.ts';
import { benchColdStart } from './api/coldStart.ts';
import { benchMiddleware } from './api/middleware.ts';
import { benchNeighbours } from './api/neighbours.ts';
import { benchAttributionEngine } from './attribution/attributionEngine.ts';
import { benchAttributionWorker } from './attribution/attributionWorker.ts';
import { benchModel } from './attribution/benchModel.ts';
import { benchCapacityUnits } from './cost/capacityUnits.ts';
import { benchCost } from './cost/cost.ts';
import { benchExports } from './exports/exports.ts';
import { measureIngestion } from './ingestion/ingestion.ts';
import { benchIngestionCpu } from './ingestion/ingestionCpu.ts';
import { ingestionTables } from './ingestion/ingestionTables.ts';
import { benchOtlp } from './ingestion/otlp.ts';
import { benchVisibility } from './ingestion/visibilityLatency.ts';
import { benchBacklog } from './ledger/backlog.ts';
import { benchPages } from './ledger/pages.ts';
import { benchQueries } from './ledger/queries.ts';
import { benchRollups } from './ledger/rollups.ts';
import { benchSideBySide } from './ledger/sideBySide.ts';
import { benchBaseline } from './local/baseline.ts';
import { benchLocal } from './local/local.ts';
import { benchAnomalyGrowth } from './quality/anomalyGrowth.ts';
import { benchAnomalyQuality } from './quality/anomalyQuality.ts';
import { benchForecasts } from './quality/forecastQuality.ts';
import { benchRaisedRates } from './quality/raisedRates.ts';
import { benchSavings } from './quality/savingsOnTrace.ts';
import { benchSessionTraffic } from './quality/sessionTraffic.ts';
import { benchPartitions } from './scale/partitions.ts';
import { benchSharedPaths } from './scale/sharedPaths.ts';
import type { MeasuredService } from './support/service.ts';
import type { Table } from './support/table.ts';
import { benchWebhooks } from './webhooks/webhookDeliveries.ts';
import type { Receiver } from './webhooks/webhookReceiver.ts';

export interface BenchContext {
  readonly service: MeasuredService;
  readonly receiver: Receiver;
  /** Fewer repetitions and smaller ledgers. */
  readonly quick: boolean;
  /** The calls of a trace that a benchmark sends instead of its own. Empty without one. */
  readonly calls: readonly Call[];
  /** Ledger sizes in records, ascending. */
  readonly sizes: readonly number[];
}

/** One benchmark of the command line, by its name. */
export interface Benchmark {
  readonly name: string;
  readonly description: string;
  readonly run: (context: BenchContext) => Promise<Table[]>;
}

/** Ledger sizes for exports: large enough to fill the buffers of the steps, so that memory growth is measurable. */
const exportSizesOf = (quick: boolean, sizes: readonly number[]): number[] => {
  const usual = quick ? [10_000] : [50_000, 100_000];
  return [...usual, ...sizes.filter((size) => size > Math.max(...usual))];
};

/** Every benchmark, in execution order. All share one instance, so those that need a quiet machine come first. */
export const benchmarks: readonly Benchmark[] = [
  {
    name: 'local',
    description: 'start, sample, throughput, memory and idle CPU of npm start',
    run: ({ service, quick }) => benchLocal(service, quick ? 1_000 : 12_000),
  },
  {
    name: 'ingestion-cpu',
    description: 'CPU time of ingestion, compared with handlers that only validate',
    run: async ({ service, quick }) => [await benchIngestionCpu(service, quick ? 50 : 150)],
  },
  {
    name: 'baseline',
    description:
      'events a second and CPU of an event on one machine, compared with a server that only keeps events',
    run: async ({ service, quick }) => [await benchBaseline(service, quick ? 500 : 3_000)],
  },
  {
    name: 'attribution',
    description: 'CPU time of the attribution engine and its model; duration of worker batches',
    run: async ({ service, quick }) => {
      const model = benchModel(quick ? 20_000 : 100_000, quick ? 5_000 : 20_000);
      return [
        ...(await benchAttributionEngine(model, quick ? 1_000 : 3_000)),
        ...(await benchAttributionWorker(service, model, quick ? 50 : 200)),
      ];
    },
  },
  {
    name: 'ingestion',
    description: 'cost, throughput and latency of ingestion over HTTP and SQS',
    run: async ({ service, quick }) => ingestionTables(await measureIngestion(service, quick)),
  },
  {
    name: 'otlp',
    description: 'throughput, CPU time and cost of OpenTelemetry exports',
    run: async ({ service, quick }) => [await benchOtlp(service, quick)],
  },
  {
    name: 'middleware',
    description: 'cost and latency of authentication, rate limits, idempotency and audit',
    run: async ({ service, quick }) => [await benchMiddleware(service, quick ? 30 : 200)],
  },
  {
    name: 'authentication-timing',
    description: 'whether the latency of a 401 reveals why a key was rejected',
    run: async ({ quick }) => [await benchAuthenticationTiming(quick ? 900 : 10_000)],
  },
  {
    name: 'neighbours',
    description:
      'latency of a tenant beside a noisy one: reads, accepted events to records, changes to webhooks',
    run: async ({ service, receiver, quick }) => [
      await benchNeighbours(service, quick ? 50 : 300),
      await benchSharedPaths(service, receiver, quick ? 100 : 400),
    ],
  },
  {
    name: 'visibility',
    description: 'latency from accepted event to readable record',
    run: async ({ service, quick }) => [await benchVisibility(service, quick ? 20 : 100)],
  },
  {
    name: 'queries',
    description: 'cost and latency of reports and single records, by ledger size',
    run: ({ service, quick, sizes }) => benchQueries(service, sizes, quick ? 15 : 40),
  },
  {
    name: 'webhooks',
    description: 'cost, throughput and tenant isolation of webhook deliveries',
    run: ({ service, receiver, quick }) => benchWebhooks(service, receiver, quick),
  },
  {
    name: 'rollups',
    description: 'cost of rollups by event rate',
    run: ({ service, quick }) => benchRollups(service, quick ? 2 : 5),
  },
  {
    name: 'backlog',
    description:
      'time until totals, budgets and list agree after calls of 55 days and a kill; --events 50000 is the goal',
    run: async ({ sizes }) => [await benchBacklog(Math.max(...sizes))],
  },
  {
    name: 'side-by-side',
    description:
      'three tenants at once: many groups and tags, a rare event, and the highest rate; with kills and an outage',
    run: ({ service, quick, calls }) => benchSideBySide(service, quick ? 2_000 : 20_000, calls),
  },
  {
    name: 'partitions',
    description: 'highest use of a DynamoDB key by the rate of a tenant, and lateness after a step',
    run: ({ service, quick }) => benchPartitions(service, quick),
  },
  {
    name: 'cost',
    description:
      'dollars of an idle month, of a month of three tenants, and of an event by rate, over 13 and 25 months',
    run: ({ service, receiver, quick }) => benchCost(service, receiver, quick),
  },
  {
    name: 'pages',
    description: 'reads and latency of list pages of every sort and filter, by ledger size',
    run: ({ service, quick, sizes }) => benchPages(service, sizes, quick ? 2 : 3),
  },
  {
    name: 'exports',
    description: 'cost, throughput and memory of FOCUS exports, compared with DuckDB',
    run: ({ service, quick, sizes }) => benchExports(service, exportSizesOf(quick, sizes)),
  },
  {
    name: 'anomaly-detection',
    description: 'false alarms and detection rate on generated series',
    run: async ({ quick }) => [
      benchAnomalyQuality(quick ? 5 : 25),
      benchAnomalyGrowth(quick ? [1] : [1, 2]),
      benchSessionTraffic(quick ? 8 : 24),
      benchRaisedRates(quick ? 8 : 24),
    ],
  },
  {
    name: 'forecasts',
    description: 'error of forecasts of a month, and how often its range holds the outcome',
    run: async ({ quick }) => [benchForecasts(quick ? 100 : 400)],
  },
  {
    name: 'savings',
    description: 'suggested savings beside a computation of its own, for the calls of a trace',
    run: async ({ service, calls }) => [await benchSavings(service, calls)],
  },
  {
    name: 'capacity-units',
    description: 'capacity units of the embedded engine, compared with the DynamoDB formula',
    run: async ({ service }) => [await benchCapacityUnits(service)],
  },
  {
    name: 'cold-start',
    description: 'bundle size and import time of every function',
    run: async ({ service }) => [benchColdStart(service)],
  },
];

/**
 * The benchmarks with the given names, in execution order; all of them when no name is given. Throws a RangeError that
 * lists the available names when one is unknown.
 */
export const selectBenchmarks = (names: readonly string[]): readonly Benchmark[] => {
  const available = benchmarks.map(({ name }) => name);
  const unknown = names.filter((name) => !available.includes(name));
  if (unknown.length > 0) {
    throw new RangeError(`Unknown benchmark: ${unknown.join(', ')}. Available: ${available.join(', ')}.`);
  }
  return benchmarks.filter(({ name }) => names.length === 0 || names.includes(name));
};
