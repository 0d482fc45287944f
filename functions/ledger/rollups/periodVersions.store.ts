import type { Content } from '../records/content.ts';
import { LENGTH, type RollupRange } from './grain.ts';
import { readOpenPeriods } from './openPeriod.store.ts';
import { readItems } from './rollup.store.ts';
import { CONTENT_ATTRIBUTES, contentIn, isHead, partitionOf, partitionStarts, unitIn } from './rollupItem.ts';

/**
 * The versions that the sums of hours or days were computed from, by the start of the period (epoch
 * milliseconds). Null for a period that is still open: its sum is not stored. A period without records is left out.
 */
export type PeriodVersions = ReadonlyMap<number, Content | null>;

export interface PeriodVersionReader {
  /** The periods that lie in a range, strongly consistent. */
  readonly read: (
    tenantId: string,
    range: RollupRange & { readonly grain: 'hour' | 'day' },
  ) => Promise<PeriodVersions>;
}

export const periodVersionReader = (table: string): PeriodVersionReader => ({
  read: async (tenantId, { grain, from, to }) => {
    const versions = new Map<number, Content | null>();
    for (const start of partitionStarts(grain, from, to)) {
      const partition = partitionOf(tenantId, grain, start);
      const items = await readItems(table, partition, { from: start, to }, `sk, ${CONTENT_ATTRIBUTES}`);
      for (const head of items.filter(isHead)) versions.set(unitIn(head).start, contentIn(head));
    }
    for (const open of await readOpenPeriods(table, tenantId)) {
      if (open.grain === grain && open.start >= from && open.start < to) versions.set(open.start, null);
    }
    return new Map([...versions].filter(([start]) => start + LENGTH[grain] <= to));
  },
});
