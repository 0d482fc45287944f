import pMap from 'p-map';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import {
  type Month,
  monthsBetween,
  startOfMonth,
  startOfNextMonth,
} from '../../platform/shared/time/month.ts';
import { QUARTER_MS, startOf } from '../rollups/grain.ts';
import type { RollupReader } from '../rollups/rollup.store.ts';
import { sumGroups } from '../rollups/rollup.ts';
import type { Day, Slice } from './cell.ts';
import { type Cohort, cohortsOf } from './cohorts.ts';
import { PersonIndex, personsIn } from './persons.ts';

/** Months read in parallel, and hourly days read in parallel. */
const CONCURRENCY = 4;

export interface CohortsResult {
  readonly cohorts: readonly Cohort[];
  /** When the newest rollup was computed, epoch milliseconds; null when there is none. */
  readonly newest: number | null;
  /** When the newest rollup of each day was computed, by start of day. Both epoch milliseconds. */
  readonly madeOn: ReadonlyMap<number, number>;
}

/** The instants that are within an interval, without its start. */
const within = (instants: readonly number[], start: number, length: number): readonly number[] =>
  instants.filter((at) => start < at && at < start + length);

/** The quarters of an hour, and the minutes of the quarters in which one of the ends lies. */
const readParts = async (
  reader: RollupReader,
  tenantId: string,
  hour: number,
  ends: readonly number[],
): Promise<Slice[]> => {
  const minutes = await reader.read(tenantId, { grain: 'minute', from: hour, to: hour + HOUR_MS });
  const quarters = Map.groupBy(minutes, ({ start }) => Math.floor(start / QUARTER_MS) * QUARTER_MS);
  return [...quarters].flatMap(([start, inside]): readonly Slice[] =>
    within(ends, start, QUARTER_MS).length > 0
      ? inside
      : [
          {
            start,
            length: QUARTER_MS,
            grain: 'minute',
            asOf: Math.max(...inside.map(({ asOf }) => asOf)),
            groups: sumGroups(inside.flatMap(({ groups }) => groups)),
          },
        ],
  );
};

/**
 * The cohorts of every month that overlaps a range. Months are read as a whole, since suppression depends on all of their
 * data. `ends` are instants between which sums are told apart, besides the ends of the range: a day in which one of them
 * lies is read by the hour, and an hour by the minute.
 */
export const readCohorts = async (
  reader: RollupReader,
  tenantId: string,
  { from, to }: Interval,
  ends: readonly number[] = [],
): Promise<CohortsResult> => {
  const dayOf = async (day: Day): Promise<Day> => {
    const endsOfDay = within([from, to, ...ends], day.start, DAY_MS);
    if (endsOfDay.length === 0) return day;
    const range = { grain: 'hour', from: day.start, to: day.start + DAY_MS } as const;
    const hours = await reader.read(tenantId, range);
    const divided = hours.map((hour) => {
      const endsOfHour = within(endsOfDay, hour.start, HOUR_MS);
      return endsOfHour.length === 0 ? [hour] : readParts(reader, tenantId, hour.start, endsOfHour);
    });
    return { start: day.start, rollups: (await Promise.all(divided)).flat() };
  };

  const monthOf = async (month: Month): Promise<{ days: Day[]; persons: PersonIndex }> => {
    const range = { grain: 'day', from: startOfMonth(month), to: startOfNextMonth(month) } as const;
    const whole = await reader.read(tenantId, range);
    const days = whole.map((rollup) => ({ start: startOf('day', rollup.start), rollups: [rollup] }));
    return {
      days: await pMap(days, dayOf, { concurrency: CONCURRENCY }),
      // Sums of shorter intervals can name more persons, and what is shown must not depend on the query.
      persons: new PersonIndex(tenantId, personsIn(whole)),
    };
  };

  const months = from < to ? monthsBetween(from, to - 1) : [];
  const read = await pMap(months, monthOf, { concurrency: CONCURRENCY });
  const madeOn = new Map(
    read
      .flatMap(({ days }) => days)
      .map(({ start, rollups }) => [start, Math.max(...rollups.map(({ asOf }) => asOf))] as const),
  );
  return {
    cohorts: read.flatMap(({ days, persons }) => cohortsOf(persons, days)),
    newest: madeOn.size === 0 ? null : Math.max(...madeOn.values()),
    madeOn,
  };
};
