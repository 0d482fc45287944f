import { consumptionOf, FULL_BATCH, isIngestion } from '../cost/consumption.ts';
import { costRows, totalOf, WAIT_SECONDS } from '../cost/costModel.ts';
import { latencies } from '../support/statistics.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { callRows, filterUsage, totalWork } from '../support/usage.ts';
import type { IngestResult, IngestResults } from './ingestion.ts';

/** USD per million events, by ingest mode. */
const COST_GOALS: Readonly<Record<string, number>> = {
  'HTTP, single': 4,
  'HTTP, single, traced': 4,
  'HTTP, batches of 100': 1.6,
  'HTTP, batches of 100, traced': 1.6,
};

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

const callTable = ({ mode, used, traffic }: IngestResult): Table => {
  const { events, messages, messageBytes, sends, messagesPerBatch } = traffic;
  return table(
    `${mode.name}: AWS calls and capacity units per event`,
    [
      ...callRows(used, events),
      ...(mode.kind === 'queue'
        ? [{ function: 'producer', operation: 'sqs SendMessage', calls: sends / events, units: 0 }]
        : []),
      {
        function: "Lambda's poller",
        operation: 'sqs receive + delete',
        calls: (2 * messages) / messagesPerBatch / events,
        units: 0,
      },
    ],
    `${events} events in ${messages} messages of ${kilobytes(messageBytes / messages)} KB, ${messagesPerBatch.toFixed(1)} messages per receive`,
  );
};

/** Total cost in USD if the poller received `messagesPerBatch` messages per request. */
const totalWithBatchSize = ({ used, traffic, memory }: IngestResult, messagesPerBatch: number): number =>
  totalOf(costRows(consumptionOf(used, { ...traffic, messagesPerBatch }, memory)));

const costTable = (result: IngestResult): Table => {
  const { mode, used, traffic, memory } = result;
  const rows = costRows(consumptionOf(used, traffic, memory));
  const limit = COST_GOALS[mode.name];
  const total = (item: string, usd: number): Row => ({
    item,
    'per event': null,
    unit: '',
    usd: usd.toFixed(3),
    goal: limit === undefined ? '' : goal(usd, limit),
  });
  return table(`${mode.name}: USD per million events`, [
    ...rows.map(({ item, perEvent, unit, usd }) => ({
      item,
      'per event': perEvent,
      unit,
      usd: usd.toFixed(3),
      goal: '',
    })),
    total('Total', totalOf(rows)),
    total('Total if every poller batch were full', totalWithBatchSize(result, FULL_BATCH)),
    total('Total if every poller batch had one message', totalWithBatchSize(result, 1)),
  ]);
};

const latencyTable = (all: readonly IngestResult[]): Table =>
  table(
    'Ingestion: throughput and request latency',
    all.map(({ mode, traffic, latenciesMs, seconds, drainSeconds }) => ({
      mode: mode.name,
      concurrency: mode.concurrency,
      events: traffic.events,
      'accepted/s': Math.round(traffic.events / seconds),
      'recorded/s': Math.round(traffic.events / (seconds + drainSeconds)),
      ...latencies(latenciesMs),
    })),
    'Each function has at most four environments here. Further requests wait for a free one.',
  );

const cpuTable = (all: readonly IngestResult[]): Table =>
  table(
    'Ingestion: CPU time per event, microseconds on one core',
    all.map(({ mode, used, traffic: { events } }) => ({
      mode: mode.name,
      concurrency: mode.concurrency,
      ingestion: (totalWork(filterUsage(used, isIngestion)).cpuSeconds * 1e6) / events,
      'attribution worker': (totalWork(filterUsage(used, /^WorkersAttribution/)).cpuSeconds * 1e6) / events,
    })),
  );

const NOTES = [
  'The poller makes one receive and one delete request per batch. Empty receives cost USD 0.26 per month and queue.',
  `Lambda duration: CPU time of this machine at the core share of the memory (one core at 1,769 MB), plus ${WAIT_SECONDS * 1_000} ms for each sequential call.`,
  'Excludes cold starts, free tiers and storage. Data out applies to callers on the internet, after the first 100 GB per month.',
];

export const ingestionTables = (ingested: IngestResults): Table[] => {
  const { single, singleTraced, ten, hundred, hundredTraced, queue, oneClient, manyClients } = ingested;
  const measured = [single, singleTraced, ten, hundred, hundredTraced, queue];
  const costs = measured.map(costTable);
  const last = costs.pop();
  return [
    ...measured.map(callTable),
    ...costs,
    ...(last === undefined ? [] : [{ ...last, notes: NOTES }]),
    latencyTable([oneClient, single, singleTraced, manyClients, ten, hundred, hundredTraced, queue]),
    cpuTable(measured),
  ];
};
