import { consumptionOf, FULL_BATCH, isIngestion } from './consumption.ts';
import { costRows, totalOf, WAIT_SECONDS } from './costModel.ts';
import type { IngestResult, IngestResults } from './ingestion.ts';
import { latencies } from './statistics.ts';
import { goal, type Row, type Table, table } from './table.ts';
import { callRows, filterUsage, totalWork } from './usage.ts';

/** USD for a million events. */
const GOALS: Readonly<Record<string, number>> = {
  'HTTP, single': 4,
  'HTTP, single, traced': 4,
  'HTTP, batches of 100': 1.6,
  'HTTP, batches of 100, traced': 1.6,
};

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

const callTable = ({ way, used, traffic }: IngestResult): Table => {
  const { events, messages, messageBytes, sends, messagesPerBatch } = traffic;
  return table(
    `${way.name}: AWS calls and capacity units for one event`,
    [
      ...callRows(used, events),
      ...(way.kind === 'queue'
        ? [{ function: 'producer', operation: 'sqs SendMessage', calls: sends / events, units: 0 }]
        : []),
      {
        function: "Lambda's poller",
        operation: 'sqs receive + delete',
        calls: (2 * messages) / messagesPerBatch / events,
        units: 0,
      },
    ],
    `${events} events in ${messages} messages of ${kilobytes(messageBytes / messages)} KB, ${messagesPerBatch.toFixed(1)} received at once`,
  );
};

/** The total, had the poller received so many messages at once. */
const totalAt = ({ used, traffic, memory }: IngestResult, messagesPerBatch: number): number =>
  totalOf(costRows(consumptionOf(used, { ...traffic, messagesPerBatch }, memory)));

const costTable = (ingested: IngestResult): Table => {
  const { way, used, traffic, memory } = ingested;
  const rows = costRows(consumptionOf(used, traffic, memory));
  const most = GOALS[way.name];
  const total = (item: string, usd: number): Row => ({
    item,
    'per event': null,
    unit: '',
    usd: usd.toFixed(3),
    goal: most === undefined ? '' : goal(usd, most),
  });
  return table(`${way.name}: USD for a million events`, [
    ...rows.map(({ item, perEvent, unit, usd }) => ({
      item,
      'per event': perEvent,
      unit,
      usd: usd.toFixed(3),
      goal: '',
    })),
    total('Total', totalOf(rows)),
    total('Total, had every batch been full', totalAt(ingested, FULL_BATCH)),
    total('Total, had every message come alone', totalAt(ingested, 1)),
  ]);
};

const latencyTable = (all: readonly IngestResult[]): Table =>
  table(
    'Ingestion: throughput and latency of a request',
    all.map(({ way, traffic, each, seconds, drainSeconds }) => ({
      way: way.name,
      concurrency: way.concurrency,
      events: traffic.events,
      'accepted/s': Math.round(traffic.events / seconds),
      'recorded/s': Math.round(traffic.events / (seconds + drainSeconds)),
      ...latencies(each),
    })),
    'At most four environments of a function run at once, as on this machine any number of callers wait for them.',
  );

const cpuTable = (all: readonly IngestResult[]): Table =>
  table(
    'CPU for one event, microseconds on one core',
    all.map(({ way, used, traffic: { events } }) => ({
      way: way.name,
      concurrency: way.concurrency,
      ingestion: (totalWork(filterUsage(used, isIngestion)).cpuSeconds * 1e6) / events,
      'attribution worker': (totalWork(filterUsage(used, /^WorkersAttribution/)).cpuSeconds * 1e6) / events,
    })),
  );

const NOTES = [
  'Each receive and delete of the poller is one request for its batch; empty receives cost USD 0.26 a month and queue.',
  `Lambda duration: CPU time here at the memory's share of a core (1,769 MB), and ${WAIT_SECONDS * 1_000} ms for each call that waits for another.`,
  'No cold starts, no free tiers, no storage. Data out is what callers on the internet add, after the first 100 GB a month.',
];

export const ingestionTables = (ingested: IngestResults): Table[] => {
  const { single, singleTraced, ten, hundred, hundredTraced, queue, alone, crowded } = ingested;
  const counted = [single, singleTraced, ten, hundred, hundredTraced, queue];
  const costs = counted.map(costTable);
  const last = costs.pop();
  return [
    ...counted.map(callTable),
    ...costs,
    ...(last === undefined ? [] : [{ ...last, notes: NOTES }]),
    latencyTable([alone, single, singleTraced, crowded, ten, hundred, hundredTraced, queue]),
    cpuTable(counted),
  ];
};
