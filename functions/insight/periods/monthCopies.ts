import type { NodeHourLine } from '../../../schemas/attribution/nodeHours.ts';
import type { ExportSums } from '../../../schemas/chargeback/exportSums.ts';
import type { StoredBook } from '../../../schemas/chargeback/periods.ts';
import type { Rollup } from '../../../schemas/ledger/rollup.ts';
import { addContent, type Content, noContent } from '../../ledger/records/content.ts';
import type { PeriodVersions } from '../../ledger/rollups/periodVersions.store.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import { totalOf } from '../../ledger/rollups/rollup.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { type Month, startOfMonth, startOfNextMonth } from '../../platform/shared/time/month.ts';

const DIGITS = 24;
const digestOf = (purpose: string, ...texts: readonly string[]): string =>
  sha256Of(purpose, ...texts)
    .toString('hex')
    .slice(0, DIGITS);

export const intervalOf = (month: Month): Interval => ({
  from: startOfMonth(month),
  to: startOfNextMonth(month),
});

/** The partitions of a copy begin with this name, where those of the tenant's own totals begin with its id. */
export const copyNameOf = (tenantId: string, copy: string): string => `${tenantId}#closed#${copy}`;

/** A digest of what nobody used of own nodes. When a line was computed does not matter. */
export const idleDigestOf = (lines: readonly NodeHourLine[]): string =>
  digestOf('idle nodes', JSON.stringify(lines.map(({ as_of: _, ...line }) => line)));

/** The name of a copy follows from its content, so an attempt that is repeated writes the same rows. */
export const copyOf = (month: Month, { versions, digest }: Content, idle: string): string =>
  digestOf('closed month', month, String(versions), digest, idle);

/** The totals of a copy, by day: it has no shorter ones. */
export const copiedTotals = (rollups: RollupReader, copy: string): RollupReader => ({
  read: async (tenantId, range) => {
    if (range.grain !== 'day') throw new RangeError('A closed period has sums of whole days only.');
    return rollups.read(copyNameOf(tenantId, copy), range);
  },
});

/** The sum of the contents of days; null if one of them is open. */
export const contentOfDays = (days: PeriodVersions): Content | null => {
  let sum = noContent;
  for (const content of days.values()) {
    if (content === null) return null;
    sum = addContent(sum, content);
  }
  return sum;
};

export const isBooked = (book: Pick<StoredBook, 'versions' | 'digest'>, content: Content | null): boolean =>
  content !== null && book.versions === content.versions && book.digest === content.digest;

/** The sums of a month. Unknown amounts are in no sum. */
export const sumsOf = (days: readonly Pick<Rollup, 'groups'>[]): ExportSums => {
  const { invocations, cost_usd, energy_wh, carbon_gco2e } = totalOf(days.flatMap(({ groups }) => groups));
  return {
    records: invocations,
    cost_usd: cost_usd.central,
    energy_wh: energy_wh.central,
    carbon_gco2e: carbon_gco2e.central,
  };
};
