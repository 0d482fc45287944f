import { ROW_MILLISECONDS } from '../../functions/ledger/records/ledgerItem.ts';
import { DAY_MS } from '../../schemas/durations.ts';
import type { RollupCost } from '../ledger/rollups.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { billedSeconds } from './costModel.ts';
import type { ClosedDay } from './dayClosing.ts';
import { prices } from './prices.ts';
import { type StorageRow, storageUsd } from './storage.ts';
import { MIX, type Rate } from './trafficMix.ts';

const MILLION = 1e6;
type Kind = 'batches' | 'single';
/** USD per million events over 13 months, by the lowest rate from which each holds. */
const GOALS: Readonly<Record<Kind, readonly (readonly [from: Rate, usd: number])[]>> = {
  batches: [[100, 2.2]],
  single: [
    [10, 6],
    [100, 4.5],
  ],
};
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
  /** From the request to the record. */
  readonly ingestion: (cost: RollupCost, kind: Kind) => number;
  readonly rollups: readonly RollupCost[];
  readonly closing: ClosedDay;
  /** What an event leaves in the tables. */
  readonly stored: readonly StorageRow[];
  /** USD of a million deliveries. */
  readonly deliveries: number;
  /** USD of a million records in an export. */
  readonly exports: number;
}

/** Tables and backups over `months`. Items that expire earlier cost less. */
const storageOf = (stored: readonly StorageRow[], months: number) => {
  const priced = stored.map((row) => storageUsd(row, months));
  return {
    tables: priced.reduce((sum, { table: usd }) => sum + usd, 0),
    backup: priced.reduce((sum, { backup }) => sum + backup, 0),
  };
};

const goalOf = (kind: Kind, rate: Rate, total: number): string => {
  const limit = GOALS[kind].findLast(([from]) => rate >= from)?.[1];
  return limit === undefined ? '' : goal(total, limit);
};

/** One row for each time of holding, rate and kind of request. */
const totals = (parts: CostParts): Row[] =>
  HOLDING_MONTHS.flatMap((months) =>
    parts.rollups.flatMap((cost) =>
      (['batches', 'single'] as const).map((kind) => {
        const { closing, stored } = parts;
        const storage = storageOf(stored, months);
        const files = ((closing.fileBytes / closing.records) * MILLION * months * prices.s3Storage.usd) / 1e9;
        const usd = {
          ingestion: parts.ingestion(cost, kind),
          'blocks, rollups': withoutLog(cost),
          'closing, checks': closingUsd(closing) + comparisonUsd(closing),
          webhooks: MIX.deliveries * parts.deliveries,
          exports: MIX.exports * parts.exports,
          tables: storage.tables,
          'table backup': storage.backup,
          files,
        };
        const total = Object.values(usd).reduce((sum, one) => sum + one, 0);
        return {
          months,
          'events/s': cost.rate,
          requests: kind,
          ...usd,
          total: total.toFixed(2),
          goal: months === 13 ? goalOf(kind, cost.rate, total) : '',
        };
      }),
    ),
  );

/** Cost of an event from its request to the end of its retention. */
export const endToEndTables = (parts: CostParts): Table[] => [
  table(
    `End to end, rows in the table for ${ROW_MILLISECONDS / DAY_MS} days and older records read from the archive`,
    totals(parts),
    `USD per million events, of which ${MIX.traced * 100} % are traced, ${MIX.deliveries * 100} % are delivered to a webhook, and each is in ${MIX.exports} export.`,
    'Excludes free tiers, idle polling, and cold starts: an environment lives for an hour or more, so they cost cents a month.',
  ),
];
