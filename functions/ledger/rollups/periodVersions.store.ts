import { DAY_MS } from '../../../schemas/durations.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { readItems } from './rollup.store.ts';
import { isHead, numberIn, partitionOf, partitionStarts, unitIn } from './rollupItem.ts';

/** The number of versions that the stored sum of a day was computed from. Epoch milliseconds. */
export interface DayVersions {
  readonly start: number;
  readonly versions: number;
}

export interface DayVersionReader {
  /** The days of a period that have a stored sum, ascending. A day is stored after its end. */
  readonly read: (tenantId: string, period: Interval) => Promise<DayVersions[]>;
}

export const dayVersionReader = (table: string): DayVersionReader => ({
  read: async (tenantId, { from, to }) => {
    const days: DayVersions[] = [];
    for (const start of partitionStarts('day', from, to)) {
      const items = await readItems(
        table,
        partitionOf(tenantId, 'day', start),
        { from: start, to },
        'sk, versions',
      );
      for (const head of items.filter(isHead)) {
        days.push({ start: unitIn(head).start, versions: numberIn(head, 'versions') });
      }
    }
    return days.filter(({ start }) => start + DAY_MS <= to);
  },
});
