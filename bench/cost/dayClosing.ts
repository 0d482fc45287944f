import { attribute } from '../../functions/attribution/engine/attribute.ts';
import { loadFactors } from '../../functions/impact/factors.ts';
import { writeDayFile } from '../../functions/ledger/archive/closing/writeDayFile.ts';
import {
  fromVersionItem,
  type LedgerReader,
  toVersionItem,
  type VersionItem,
} from '../../functions/ledger/records/ledger.store.ts';
import { recordPartitionOf } from '../../functions/ledger/records/ledgerKey.ts';
import type { ScanPosition } from '../../functions/ledger/records/query/scanRecords.ts';
import { recordUlid } from '../../functions/platform/shared/ids.ts';
import { monthOf } from '../../functions/platform/shared/time/month.ts';
import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { DAY_MS } from '../../schemas/durations.ts';
import { itemSize } from '../cost/itemSize.ts';
import { callOfLedger } from '../ledger/ledgerLoader.ts';
import { goal, type Table, table } from '../support/table.ts';

const DAY = '2026-03-15';
const START = Date.parse(`${DAY}T00:00:00Z`);
const MILLION = 1e6;
const GOAL_SECONDS = 120;
const GOAL_BYTES = 300;

/** What closing a day takes for each record. */
export interface ClosedDay {
  readonly records: number;
  readonly cpuSeconds: number;
  readonly fileBytes: number;
  /** Mean size of the ledger items, which closing reads once. */
  readonly itemBytes: number;
  readonly files: number;
}

/** Items of a day in the order of their keys, as the ledger holds them. */
const itemsOfDay = async (tenant: Tenant, records: number): Promise<VersionItem[]> => {
  const factors = await loadFactors();
  const expires = Math.ceil(START / 1_000) + 700 * 86_400;
  return Array.from({ length: records }, (_, index) => {
    const occurredAt = START + Math.floor((index / records) * DAY_MS);
    const event = callOfLedger(index);
    const arrival = { occurredAt, receivedAt: occurredAt + 1_000, residency: null };
    const attribution = attribute(event, arrival, tenant, factors, {});
    const ulid = recordUlid(tenant.tenant_id, event.event_id, occurredAt);
    return toVersionItem(recordPartitionOf(tenant, ulid), ulid, attribution, expires);
  }).toSorted((one, other) => ((one['sk']?.S ?? '') < (other['sk']?.S ?? '') ? -1 : 1));
};

/** The index of the first item whose key is not below `from`. A search from the start would be part of the measured work. */
const firstFrom = (items: readonly VersionItem[], from: string): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((items[middle]?.['sk']?.S ?? '') < from) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Serves items in pages. Decoding them is part of the measured work, as in the service. */
const readerOf = (tenantId: string, items: readonly VersionItem[]): LedgerReader => ({
  months: async () => [{ month: monthOf(START), shards: 1 }],
  newest: async () => null,
  read: async (_, { from, limit }) => {
    const start = firstFrom(items, from);
    const page = items.slice(start, start + limit);
    const isLast = start + limit >= items.length;
    return {
      versions: page.map((item) => fromVersionItem(item, tenantId)),
      last: isLast ? null : (page.at(-1)?.['sk']?.S ?? null),
    };
  },
});

/** Writes the files of a generated day, with the code of the service. */
export const closeGeneratedDay = async (tenant: Tenant, records: number): Promise<ClosedDay> => {
  const items = await itemsOfDay(tenant, records);
  const ledger = readerOf(tenant.tenant_id, items);
  const itemBytes = items.reduce((sum, item) => sum + itemSize(item), 0) / records;
  let position: ScanPosition | null = { shard: 0, after: null };
  let fileBytes = 0;
  let files = 0;
  const before = process.cpuUsage();
  while (position !== null) {
    const file = await writeDayFile(ledger, { tenantId: tenant.tenant_id, day: DAY, position });
    fileBytes += file.bytes.length;
    files += 1;
    position = file.next;
  }
  const { user, system } = process.cpuUsage(before);
  return { records, cpuSeconds: (user + system) / 1e6, fileBytes, itemBytes, files };
};

/** Goals of closing a day of a million records. */
export const dayClosingTable = ({ records, cpuSeconds, fileBytes, files }: ClosedDay): Table => {
  const seconds = (cpuSeconds / records) * MILLION;
  const bytes = fileBytes / records;
  return table(
    'Closing a day: CPU time and bytes on S3',
    [
      {
        records,
        files,
        'CPU seconds per million': seconds,
        'CPU goal': goal(seconds, GOAL_SECONDS),
        'bytes per record': bytes,
        'bytes goal': goal(bytes, GOAL_BYTES),
      },
    ],
    'Decoding of the ledger items included. Reading takes 4,000 queries of 150 kB for a million records, one after the other.',
  );
};
