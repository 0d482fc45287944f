import { newTenant } from '../../test/support/tenants.ts';
import { localAssembly } from '../../tools/build/localAssembly.ts';
import { type IngestResult, ingest } from '../ingestion/ingestion.ts';
import { batches, type IngestMode, single, traced } from '../ingestion/ingestModes.ts';
import { measureRollups, rollupTables } from '../ledger/rollups.ts';
import type { MeasuredService } from '../support/service.ts';
import { type Table, table } from '../support/table.ts';
import { filterUsage } from '../support/usage.ts';
import { consumptionOf, FULL_BATCH } from './consumption.ts';
import { type CostRow, costRows, totalOf } from './costModel.ts';
import { closeGeneratedDay, dayClosingTable } from './dayClosing.ts';
import { endToEndTables } from './endToEndCost.ts';
import { monthlyTables } from './monthlyCost.ts';
import { prices } from './prices.ts';
import { type StorageRow, storageRows, storedByKind } from './storage.ts';

/** Share of events that carry a trace id. */
const TRACED_SHARE = 0.4;
const TRACED_EVENTS = 1_000;
/** The warm-up of a measurement is a tenth more. */
const WITH_WARM_UP = 1.1;

/** Functions from the request to the record. The rollups worker is measured by rate instead. */
const isPath = /^(?:Units|WorkersAttribution)/;

const pathRows = ({ used, traffic, memory }: IngestResult): CostRow[] =>
  costRows(consumptionOf(filterUsage(used, isPath), { ...traffic, messagesPerBatch: FULL_BATCH }, memory));

/** Sends events, and returns what they consumed and left in the tables. */
const ingestAndStore = async (service: MeasuredService, mode: IngestMode, events: number) => {
  const before = await storedByKind(service);
  const result = await ingest(service, mode, events);
  // The index of sorted lists is written with the totals.
  await service.runtime.idle({ delayed: true });
  return { result, stored: storageRows(before, await storedByKind(service), events * WITH_WARM_UP) };
};

const spansOf = (stored: readonly StorageRow[]): StorageRow[] =>
  stored
    .filter(({ kind }) => kind === 'traces')
    .map((row) => ({
      ...row,
      itemsPerEvent: row.itemsPerEvent * TRACED_SHARE,
      bytesPerEvent: row.bytesPerEvent * TRACED_SHARE,
    }));

const ingestionTable = (kind: string, rows: readonly CostRow[]): Table =>
  table(
    `From the request to the record, ${kind}: USD per million events`,
    rows.map(({ item, perEvent, unit, usd }) => ({ item, 'per event': perEvent, unit, usd: usd.toFixed(3) })),
  );

/** The bill of a month, and the cost of an event until the end of its retention, from counted calls and stored bytes. */
export const benchCost = async (service: MeasuredService, quick: boolean): Promise<Table[]> => {
  // The template of production: one machine has the same resources, but no alarms on a canary.
  const { template } = await localAssembly({ environment: 'production' });
  const inBatches = await ingestAndStore(service, batches(100, 4), quick ? 1_000 : 6_000);
  const inSingle = await ingest(service, single(8), quick ? 300 : 1_500);
  const withTraces = await ingestAndStore(service, traced(batches(100, 4)), TRACED_EVENTS);
  const minutes = quick ? 1 : 2;
  const rollups = await measureRollups(service, minutes);
  const closing = await closeGeneratedDay(newTenant(), quick ? 20_000 : 100_000);
  const rows = { batches: pathRows(inBatches.result), single: pathRows(inSingle) };
  const stored = [...inBatches.stored, ...spansOf(withTraces.stored)];
  return [
    ...monthlyTables(template, { processing: totalOf(rows.batches), stored }),
    ...endToEndTables({
      ingestion: { batches: totalOf(rows.batches), single: totalOf(rows.single) },
      rollups,
      closing,
      stored,
    }),
    ingestionTable('batches', rows.batches),
    ingestionTable('single', rows.single),
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
