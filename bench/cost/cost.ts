import { newTenant } from '../../test/support/tenants.ts';
import { localAssembly } from '../../tools/build/localAssembly.ts';
import { exportBuckets } from '../exports/exportBuckets.ts';
import { measureExportJob } from '../exports/exportJob.ts';
import { exportLoad } from '../exports/exportLoad.ts';
import { type IngestResult, ingest } from '../ingestion/ingestion.ts';
import { batches, type IngestMode, paced, single, traced } from '../ingestion/ingestModes.ts';
import { ledgerLoader } from '../ledger/ledgerLoader.ts';
import { measureRollups, rollupTables } from '../ledger/rollups.ts';
import type { MeasuredService } from '../support/service.ts';
import { type Table, table } from '../support/table.ts';
import { filterUsage } from '../support/usage.ts';
import { measureDeliveryUsd } from '../webhooks/webhookDeliveries.ts';
import type { Receiver } from '../webhooks/webhookReceiver.ts';
import { consumptionOf } from './consumption.ts';
import { type CostRow, costRows, totalOf } from './costModel.ts';
import { closeGeneratedDay, dayClosingTable } from './dayClosing.ts';
import { endToEndTables } from './endToEndCost.ts';
import { monthlyTables } from './monthlyCost.ts';
import { prices } from './prices.ts';
import { readingTable } from './readingCost.ts';
import { storageRows, storedByKind } from './storage.ts';
import { MIX, messagesPerReceive, RATES, type Rate } from './trafficMix.ts';

/** The warm-up of a measurement is a tenth more. */
const WITH_WARM_UP = 1.1;
/** At these rates the requests are sent one after the other, because a lease of the rate limit lasts for few of them. */
const PACED: readonly Rate[] = [1, 10];
const PACED_SECONDS = { quick: 20, full: 60 };

/** Functions from the request to the record. The rollups worker is measured by rate instead. */
const isPath = /^(?:Units|WorkersAttribution)/;

/** The cost of events at a rate. Receives of the worker are as full as the rate makes them. */
const pathRows = ({ used, traffic, memory }: IngestResult, rate: Rate): CostRow[] => {
  const messagesPerBatch = messagesPerReceive((rate * traffic.messages) / traffic.events);
  return costRows(consumptionOf(filterUsage(used, isPath), { ...traffic, messagesPerBatch }, memory));
};

/** Sends events, and returns what they consumed and left in the tables. */
const ingestAndStore = async (service: MeasuredService, mode: IngestMode, events: number) => {
  const before = await storedByKind(service);
  const result = await ingest(service, mode, events);
  // The index of sorted lists is written with the totals.
  await service.runtime.idle({ delayed: true });
  return { result, stored: storageRows(before, await storedByKind(service), events * WITH_WARM_UP) };
};

/** The mix of events, one a request, at each rate. */
const singleAtRates = async (service: MeasuredService, quick: boolean): Promise<Map<Rate, IngestResult>> => {
  const mode = traced(single(8), MIX.traced);
  const fast = await ingest(service, mode, quick ? 300 : 1_500);
  const results = new Map<Rate, IngestResult>(RATES.map((rate) => [rate, fast]));
  const seconds = quick ? PACED_SECONDS.quick : PACED_SECONDS.full;
  for (const rate of PACED) results.set(rate, await ingest(service, paced(mode, rate), rate * seconds));
  return results;
};

/** USD of a million records in one export. */
const exportUsd = async (service: MeasuredService, records: number): Promise<number> => {
  const loader = await ledgerLoader(service, exportLoad(records));
  const buckets = exportBuckets(service);
  await loader.load(records);
  const job = await measureExportJob(service, buckets, records);
  loader.stop();
  buckets.stop();
  return (job.usd / job.records) * 1e6;
};

const ingestionTable = (kind: string, rows: readonly CostRow[]): Table =>
  table(
    `From the request to the record, ${kind}: USD per million events`,
    rows.map(({ item, perEvent, unit, usd }) => ({ item, 'per event': perEvent, unit, usd: usd.toFixed(3) })),
  );

/** The bill of a month, and the cost of an event until the end of its retention, from counted calls and stored bytes. */
export const benchCost = async (
  service: MeasuredService,
  receiver: Receiver,
  quick: boolean,
): Promise<Table[]> => {
  // The template of production: one machine has the same resources, but no alarms on a canary.
  const { template } = await localAssembly({ environment: 'production' });
  const { result: batch, stored } = await ingestAndStore(
    service,
    traced(batches(100, 4), MIX.traced),
    quick ? 1_000 : 6_000,
  );
  const singles = await singleAtRates(service, quick);
  const minutes = quick ? 1 : 2;
  const rollups = await measureRollups(service, minutes);
  const closing = await closeGeneratedDay(newTenant(), quick ? 20_000 : 100_000);
  const deliveries = await measureDeliveryUsd(service, receiver, quick ? 300 : 1_000);
  const exported = await exportUsd(service, quick ? 10_000 : 50_000);
  const reading = await readingTable(service, quick ? 10 : 30);
  const rowsOf = (rate: Rate) => ({
    batches: pathRows(batch, rate),
    single: pathRows(singles.get(rate) ?? batch, rate),
  });
  const usual = rowsOf(100);
  return [
    ...monthlyTables(template, { processing: totalOf(usual.batches), stored }),
    ...endToEndTables({
      ingestion: ({ rate }, kind) => totalOf(rowsOf(rate)[kind]),
      rollups,
      closing,
      stored,
      deliveries,
      exports: exported,
    }),
    ingestionTable('batches of 100, at 100 events a second', usual.batches),
    ingestionTable('one event a request, at 100 events a second', usual.single),
    reading,
    dayClosingTable(closing),
    ...rollupTables(rollups, minutes),
    table(
      'List prices used',
      Object.entries(prices).map(([name, { usd, per, source, read, confidence }]) => ({
        name,
        usd: usd.toPrecision(3),
        per,
        source,
        read,
        confidence,
      })),
      'A: page of AWS. B: dated third-party source. C: old or from memory. Replace prices in bench/cost/prices.ts.',
    ),
  ];
};
