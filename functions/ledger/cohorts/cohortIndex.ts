import * as z from 'zod';
import type { Dimensions } from '../../../schemas/ledger/rollup.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { startOf } from '../rollups/grain.ts';
import { groupsCountedUnder } from '../rollups/groupLimit.ts';
import { type Labels, labelNames, labelsOf, tagLabelsOf } from './cell.ts';
import type { Cohort } from './cohorts.ts';
import { selectVisible } from './selectVisible.ts';

/** A cohort as a report shows it. */
const ShownCohort = z.object({
  /** Unique within the month. */
  id: z.string(),
  at: z.int(),
  length: z.int(),
  labels: z.partialRecord(
    z.union([z.enum(labelNames), z.templateLiteral(['tag:', z.string()])]),
    z.string().nullable(),
  ),
});
export type ShownCohort = Readonly<z.infer<typeof ShownCohort>>;

/** The cohort that counts the calls of a group in an interval; null when the report does not show it. */
interface Place extends Pick<Cohort, 'at' | 'length'> {
  readonly cohort: ShownCohort | null;
}

/** The cohorts of a month, by the groups of calls that they count. */
export type CohortIndex = ReadonlyMap<string, readonly Place[]>;

/** Identifies the calls of a day and lane with equal labels. 96 bits: no two of a month share a hash by chance. */
const keyOf = (day: number, lane: string | null, labels: Labels): string =>
  sha256Of(
    'cell',
    JSON.stringify([
      day,
      lane,
      ...labelNames.map((name) => labels[name]),
      ...tagLabelsOf([{ labels }]).map((name) => [name, labels[name]]),
    ]),
  )
    .subarray(0, 12)
    .toString('base64url');

const hasPersons = ({ parts }: Cohort): boolean => parts.some(({ cell }) => cell.isPersonal);

/**
 * Indexes all cohorts of a month, which were read for a period of it. A cohort that also counts calls outside of the period is
 * not shown: whoever has the calls of the period has only a part of it, which the report could be subtracted from.
 */
export const indexCohorts = (
  cohorts: readonly Cohort[],
  period: Interval,
  lane: string | null,
): CohortIndex => {
  const isInside = ({ parts }: Cohort): boolean =>
    parts.every(({ at, length }) => period.from <= at && at + length <= period.to);
  const shown = new Set(selectVisible(cohorts, period, lane).shown.filter(isInside));
  const index = new Map<string, Place[]>();
  // Calls with equal labels can differ in the tags that budgets name. If any of them have persons, all count as theirs.
  const personsLast = [...cohorts].sort((one, other) => Number(hasPersons(one)) - Number(hasPersons(other)));
  for (const [position, cohort] of personsLast.entries()) {
    const { at, length } = cohort;
    const named = shown.has(cohort) ? { id: String(position), at, length, labels: cohort.labels } : null;
    for (const { at: start, length: duration, cell } of cohort.parts) {
      const key = keyOf(cell.day, cell.lane, cell.labels);
      const others = (index.get(key) ?? []).filter((place) => place.at !== start);
      index.set(key, [...others, { at: start, length: duration, cohort: named }]);
    }
  }
  return index;
};

/** The cohort in which a report counts a call of this group at this time; null when it shows none, or has not counted it. */
export const findCohort = (index: CohortIndex, dimensions: Dimensions, at: number): ShownCohort | null => {
  for (const counted of groupsCountedUnder(dimensions)) {
    const places = index.get(keyOf(startOf('day', at), counted.residency, labelsOf(counted)));
    if (places !== undefined)
      return places.find((place) => place.at <= at && at < place.at + place.length)?.cohort ?? null;
  }
  return null;
};

/** JSON form of an index in work documents. The last number of a place is the position of its cohort, or -1. */
export const StoredCohortIndex = z.codec(
  z.object({
    cohorts: z.array(ShownCohort),
    places: z.array(z.tuple([z.string(), z.array(z.tuple([z.int(), z.int(), z.int()]))])),
  }),
  z.custom<CohortIndex>(),
  {
    decode: ({ cohorts, places }) =>
      new Map(
        places.map(([key, own]) => [
          key,
          own.map(([at, length, cohort]) => ({ at, length, cohort: cohorts[cohort] ?? null })),
        ]),
      ),
    encode: (index) => {
      const positions = new Map<ShownCohort, number>();
      const positionOf = (cohort: ShownCohort): number => {
        const position = positions.get(cohort) ?? positions.size;
        positions.set(cohort, position);
        return position;
      };
      const places = [...index].map(([key, own]): [string, [number, number, number][]] => [
        key,
        own.map(({ at, length, cohort }) => [at, length, cohort === null ? -1 : positionOf(cohort)]),
      ]);
      return {
        cohorts: [...positions.keys()],
        places,
      };
    },
  },
);
