import { ROW_MILLISECONDS } from '../../functions/ledger/records/ledgerItem.ts';
import { DAY_MS } from '../../schemas/durations.ts';
import type { RollupCost } from '../ledger/rollups.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { billedSeconds } from './costModel.ts';
import type { ClosedDay } from './dayClosing.ts';
import { prices } from './prices.ts';
import { type StorageRow, storageUsd } from './storage.ts';

const MILLION = 1e6;
/** USD per million events over 13 months. */
const GOALS = { batches: 3, single: 5.5 };
const HOLDING_MONTHS = [13, 25] as const;
/** Comparisons of totals with the ledger, each with eventually consistent reads of every record. */
const COMPARISONS = 4;
const READ_UNIT_BYTES = 4_096;
/** Files and manifests of a day of a million records, with their drafts. */
const OBJECTS_PER_FILE = 3;

/** The log of the sort index is part of the ingestion cost, because the attribution worker writes it. */
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

/** USD per million events of each part, or what it follows from. */
export interface CostParts {
  /** From the request to the record, by kind of request. */
  readonly ingestion: Record<keyof typeof GOALS, number>;
  readonly rollups: readonly RollupCost[];
  readonly closing: ClosedDay;
  /** What an event leaves in the tables. */
  readonly stored: readonly StorageRow[];
}

/** Tables and backups over `months`. Items that expire earlier cost less. */
const storageOf = (stored: readonly StorageRow[], months: number) => {
  const priced = stored.map((row) => storageUsd(row, months));
  return {
    tables: priced.reduce((sum, { table: usd }) => sum + usd, 0),
    backup: priced.reduce((sum, { backup }) => sum + backup, 0),
  };
};

/** One row for each rate, time of holding and kind of request. */
const totals = ({ ingestion, rollups, closing, stored }: CostParts): Row[] =>
  HOLDING_MONTHS.flatMap((months) =>
    rollups.flatMap((cost) =>
      (['batches', 'single'] as const).map((kind) => {
        const storage = storageOf(stored, months);
        const files = ((closing.fileBytes / closing.records) * MILLION * months * prices.s3Storage.usd) / 1e9;
        const fixed = closingUsd(closing) + comparisonUsd(closing);
        const summing = withoutLog(cost);
        const total = ingestion[kind] + summing + fixed + storage.tables + storage.backup + files;
        return {
          months,
          rate: cost.label,
          requests: kind,
          ingestion: ingestion[kind],
          'blocks, rollups': summing,
          'closing, checks': fixed,
          tables: storage.tables,
          'table backup': storage.backup,
          files,
          total: total.toFixed(2),
          goal: months === 13 ? goal(total, GOALS[kind]) : '',
        };
      }),
    ),
  );

/** Cost of an event from its request to the end of its retention. */
export const endToEndTables = (parts: CostParts): Table[] => [
  table(
    `End to end, rows in the table for ${ROW_MILLISECONDS / DAY_MS} days and older records read from the archive`,
    totals(parts),
    'USD per million events. Excludes free tiers, cold starts, idle polling and webhooks.',
  ),
];
