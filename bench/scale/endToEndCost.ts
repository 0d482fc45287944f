import { HOT_MS } from '../../functions/archive/hotDays.ts';
import { RETENTION_MILLISECONDS } from '../../functions/ledger/ledgerItem.ts';
import { DAY_MS } from '../../functions/shared/durations.ts';
import { newTenant } from '../../test/support/tenants.ts';
import { consumptionOf, FULL_BATCH } from '../cost/consumption.ts';
import { billedSeconds, costRows, totalOf } from '../cost/costModel.ts';
import { prices } from '../cost/prices.ts';
import { type IngestResult, ingest } from '../ingestion/ingestion.ts';
import { batches, single, traced } from '../ingestion/ingestModes.ts';
import { measureRollups, type RollupCost, rollupTables } from '../ledger/rollups.ts';
import type { MeasuredService } from '../support/service.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { filterUsage } from '../support/usage.ts';
import { type ClosedDay, closeGeneratedDay, dayClosingTable } from './dayClosing.ts';
import { type StorageRow, storageUsd, storedItems } from './storageCost.ts';

const MILLION = 1e6;
const MONTH_MILLISECONDS = RETENTION_MILLISECONDS / 25;
/** USD per million events over 13 months. */
const GOALS = { batches: 3, single: 5.5 };
const HOLDING_MONTHS = [13, 25] as const;
/** Time that a row stays if it is deleted when its day is cold, because its version is in a file. */
const HOT_MONTHS = HOT_MS / MONTH_MILLISECONDS;
/** Comparisons of totals with the ledger, each with eventually consistent reads of every record. */
const COMPARISONS = 4;
const READ_UNIT_BYTES = 4_096;
/** Events whose spans are measured. */
const TRACED_EVENTS = 300;
/** Files and manifests of a day of a million records, with their drafts. */
const OBJECTS_PER_FILE = 3;

/** Functions from the request to the record. The rollups worker is measured by rate instead. */
const isPath = /^(?:Units|WorkersAttribution)/;

const perMillion = ({ used, traffic, memory }: IngestResult): number =>
  totalOf(
    costRows(consumptionOf(filterUsage(used, isPath), { ...traffic, messagesPerBatch: FULL_BATCH }, memory)),
  );

/** The log of places is part of the ingestion cost, because the attribution worker writes it. */
const withoutLog = ({ usd, parts }: RollupCost): number => usd - (parts['log'] ?? 0);

/** USD per million records: reading each once, one core, and the requests for the files. */
const closingUsd = ({ records, cpuSeconds, itemBytes, files }: ClosedDay): number => {
  const gigabyteSeconds =
    billedSeconds({
      name: 'closing',
      memoryMegabytes: 1_769,
      invocations: files,
      cpuSeconds,
      waits: (records * itemBytes) / 1e6,
    }) *
    (1_769 / 1_024);
  const reads = ((records * itemBytes) / READ_UNIT_BYTES) * prices.dynamodbReadUnit.usd;
  const puts = files * OBJECTS_PER_FILE * prices.s3PutRequest.usd;
  return ((gigabyteSeconds * prices.lambdaGigabyteSecond.usd + reads + puts) / records) * MILLION;
};

const comparisonUsd = ({ itemBytes }: ClosedDay): number =>
  ((COMPARISONS * itemBytes) / (2 * READ_UNIT_BYTES)) * prices.dynamodbReadUnit.usd * MILLION;

/** USD per million records: a row is read once more and deleted. TTL deletes without a charge, but also rows that are in no file. */
const deletionUsd = ({ itemBytes }: ClosedDay): number =>
  (prices.dynamodbWriteUnit.usd + (itemBytes / READ_UNIT_BYTES) * prices.dynamodbReadUnit.usd) * MILLION;

interface Parts {
  readonly ingestion: Record<keyof typeof GOALS, number>;
  readonly rollups: readonly RollupCost[];
  readonly closing: ClosedDay;
  readonly stored: readonly StorageRow[];
}

interface Tables {
  /** Months that rows of records stay. */
  readonly months: number;
  /** USD per million events for their deletion. */
  readonly deletion: number;
}

/** One row for each rate, time of holding and kind of request. */
const totals = (
  { ingestion, rollups, closing, stored }: Parts,
  { months: tableMonths, deletion }: Tables,
): Row[] =>
  HOLDING_MONTHS.flatMap((months) =>
    rollups.flatMap((cost) =>
      (['batches', 'single'] as const).map((kind) => {
        const storage = storageUsd(stored, closing, months, tableMonths);
        const fixed = closingUsd(closing) + comparisonUsd(closing) + deletion;
        const summing = withoutLog(cost);
        const total = ingestion[kind] + summing + fixed + storage.tables + storage.backup + storage.files;
        return {
          months,
          rate: cost.label,
          requests: kind,
          ingestion: ingestion[kind],
          'blocks, rollups': summing,
          'closing, checks, deletion': fixed,
          tables: storage.tables,
          'table backup': storage.backup,
          files: storage.files,
          total: total.toFixed(2),
          goal: months === 13 ? goal(total, GOALS[kind]) : '',
        };
      }),
    ),
  );

/** Cost of an event from its request to the end of its retention, from counted calls and bytes of real runs. */
export const benchCost = async (service: MeasuredService, quick: boolean): Promise<Table[]> => {
  const ingestion = {
    batches: perMillion(await ingest(service, batches(100, 4), quick ? 1_000 : 6_000)),
    single: perMillion(await ingest(service, single(8), quick ? 300 : 1_500)),
  };
  const minutes = quick ? 1 : 2;
  const rollups = await measureRollups(service, minutes);
  const closing = await closeGeneratedDay(newTenant(), quick ? 20_000 : 100_000);
  await ingest(service, traced(batches(100, 4)), TRACED_EVENTS);
  const stored = await storedItems(service);
  const parts = { ingestion, rollups, closing, stored };
  const configured = RETENTION_MILLISECONDS / MONTH_MILLISECONDS;
  const note = 'USD per million events. Excludes free tiers, cold starts, idle polling and webhooks.';
  return [
    table(
      `End to end, rows stay ${Math.round(configured)} months in their table`,
      totals(parts, { months: configured, deletion: 0 }),
      note,
    ),
    table(
      `End to end, rows deleted after ${HOT_MS / DAY_MS} days and older records read from the archive`,
      totals(parts, { months: HOT_MONTHS, deletion: deletionUsd(closing) }),
      note,
    ),
    table(
      'Stored bytes by event',
      stored.map(({ item, bytes, perEvent, months, hasBackup }) => ({
        item,
        bytes,
        'items/event': perEvent,
        months: months ?? '',
        backup: hasBackup ? 'yes' : 'no',
      })),
      'DynamoDB adds 100 bytes to each item for its index.',
    ),
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
