import pMap from 'p-map';
import {
  type Month,
  monthsBetween,
  startOfMonth,
  startOfNextMonth,
} from '../../platform/shared/time/month.ts';
import { LENGTH, startOf } from '../rollups/grain.ts';
import type { RollupReader } from '../rollups/rollup.store.ts';
import type { Day } from './cell.ts';
import { type Cohort, cohortsOf } from './cohorts.ts';

/** Months read in parallel, and hourly days read in parallel. */
const CONCURRENCY = 4;

/** A range of whole UTC hours. Epoch milliseconds, `to` excluded. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface CohortsResult {
  readonly cohorts: readonly Cohort[];
  /** When the newest rollup was computed, epoch milliseconds; null when there is none. */
  readonly newest: number | null;
  /** When the newest rollup of each day was computed, by start of day. Both epoch milliseconds. */
  readonly madeOn: ReadonlyMap<number, number>;
}

/**
 * The cohorts of every month that overlaps a range. Months are read as a whole, since suppression depends on all of their
 * data. The days in which the range starts and ends are read by the hour. When `hourly`, all days of the range are.
 */
export const readCohorts = async (
  reader: RollupReader,
  tenantId: string,
  { from, to }: Range,
  hourly: boolean,
): Promise<CohortsResult> => {
  const needsHours = (day: number): boolean => {
    const end = day + LENGTH.day;
    const overlaps = from < end && day < to;
    return overlaps && (hourly || from > day || to < end);
  };

  const dayOf = async (day: Day): Promise<Day> => {
    if (!needsHours(day.start)) return day;
    const range = { grain: 'hour', from: day.start, to: day.start + LENGTH.day } as const;
    return { start: day.start, rollups: await reader.read(tenantId, range) };
  };

  const monthOf = async (month: Month): Promise<Day[]> => {
    const range = { grain: 'day', from: startOfMonth(month), to: startOfNextMonth(month) } as const;
    const days = await reader.read(tenantId, range);
    return pMap(
      days.map((rollup) => ({ start: startOf('day', rollup.start), rollups: [rollup] })),
      dayOf,
      { concurrency: CONCURRENCY },
    );
  };

  const months = from < to ? monthsBetween(from, to - 1) : [];
  const read = await pMap(months, monthOf, { concurrency: CONCURRENCY });
  const madeOn = new Map(
    read.flat().map(({ start, rollups }) => [start, Math.max(...rollups.map(({ asOf }) => asOf))] as const),
  );
  return {
    cohorts: read.flatMap((days) => cohortsOf(tenantId, days)),
    newest: madeOn.size === 0 ? null : Math.max(...madeOn.values()),
    madeOn,
  };
};
