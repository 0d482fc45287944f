import { COHORT_MINIMUM } from '../../../schemas/reports.ts';
import {
  type Cell,
  type CellPart,
  cellsOfDay,
  countPersonsUpToMinimum,
  type Day,
  type LabelName,
  type Labels,
  labelNames,
  PersonIndex,
  tagLabelsOf,
} from './cell.ts';
import { suppressSmallGroups } from './suppressSmallGroups.ts';

/**
 * Calls that are only shown together. Every answer is a union of cohorts. A cohort has no persons, has at least
 * {@link COHORT_MINIMUM} persons, or covers all calls of its month.
 */
export interface Cohort {
  /** Start of the hour or day it is counted in, epoch milliseconds. */
  readonly at: number;
  /** The residency lane of all its calls; absent when lanes are merged. */
  readonly lane?: string | null;
  /** Labels that all its calls share and that may be shown. Suppressed labels are absent. */
  readonly labels: Partial<Labels>;
  readonly parts: readonly CellPart[];
}

interface TimeBucket<Item> {
  readonly at: number;
  readonly items: readonly Item[];
}

/**
 * Merges consecutive buckets until each has enough persons. A merged bucket is counted at the time at which it reached the
 * minimum. The remainder at the end is added to the last bucket. Returns none when all items together have too few
 * persons, so these are never shown.
 */
const mergeSmallBuckets = <Item extends Pick<Cell, 'persons'>>(
  units: readonly TimeBucket<Item>[],
): TimeBucket<Item>[] => {
  const closed: { at: number; items: Item[] }[] = [];
  let pending: Item[] = [];
  for (const { at, items } of units) {
    for (const item of items) pending.push(item);
    if (countPersonsUpToMinimum(pending) < COHORT_MINIMUM) continue;
    closed.push({ at, items: pending });
    pending = [];
  }
  const last = closed.at(-1);
  if (last !== undefined) last.items = last.items.concat(pending);
  return closed;
};

const bucketsByTime = <Item>(items: readonly Item[], atOf: (item: Item) => number): TimeBucket<Item>[] =>
  [...Map.groupBy(items, atOf)]
    .map(([at, groupCells]) => ({ at, items: groupCells }))
    .sort((one, other) => one.at - other.at);

interface Leaf {
  readonly labels: Partial<Labels>;
  readonly cells: readonly Cell[];
}

/**
 * Splits cells by one label after another, as long as each part keeps enough persons. A cell that was moved from a day on
 * which a cost allocation tag was not in force has no label of it, and is never shown under a value.
 */
const leavesOf = (
  cells: readonly Cell[],
  persons: PersonIndex,
  [name, ...others]: readonly LabelName[],
  labels: Partial<Labels> = {},
): Leaf[] => {
  if (name === undefined) return [{ labels, cells }];
  const { named, rest } = suppressSmallGroups(
    cells,
    (cell) => cell.labels[name],
    (value) => !persons.isIdentity(value),
  );
  return [
    ...named.flatMap(([value, groupCells]) =>
      leavesOf(groupCells, persons, others, { ...labels, [name]: value }),
    ),
    ...(rest.length > 0 ? leavesOf(rest, persons, others, labels) : []),
  ];
};

/** Splits a leaf of a day by hour. Cells moved from other days count in the first hour of the day. */
const hoursOf = (day: number, { labels, cells }: Leaf): Omit<Cohort, 'lane'>[] => {
  const parts = cells.flatMap((cell) => cell.parts);
  const units = bucketsByTime(parts, ({ at, cell }) => (cell.day === day ? at : day));
  return mergeSmallBuckets(units).map(({ at, items }) => ({ at, labels, parts: items }));
};

/** One cohort for a whole month, counted on the last day with calls. */
const wholeOf = (cells: readonly Cell[]): Cohort[] => {
  const lanes = new Set(cells.map(({ lane }) => lane));
  const [lane = null] = lanes;
  return [
    {
      at: cells.reduce((last, { day }) => Math.max(last, day), 0),
      ...(lanes.size === 1 && { lane }),
      labels: {},
      parts: cells.flatMap(({ parts }) => parts),
    },
  ];
};

/**
 * The cohorts of a UTC calendar month. The partition depends only on the month's data, never on the query, so that answers to
 * different queries cannot be subtracted. `days` must be all days of the month. Reading a day by the hour splits its cohorts
 * further and moves no calls between them.
 */
export const cohortsOf = (tenantId: string, days: readonly Day[]): Cohort[] => {
  const persons = new PersonIndex(tenantId, days);
  const cells = days.flatMap((day) => cellsOfDay(day, persons));
  const personal = cells.filter(({ persons }) => persons.length > 0);
  if (personal.length > 0 && countPersonsUpToMinimum(personal) < COHORT_MINIMUM) return wholeOf(cells);

  const impersonal = cells
    .filter(({ persons }) => persons.length === 0)
    .flatMap(({ lane, labels, parts }) =>
      parts.map((part) => ({ at: part.at, lane, labels, parts: [part] })),
    );
  const { named, rest } = suppressSmallGroups(personal, ({ lane }) => lane);
  const lanes: { readonly lane?: string | null; readonly cells: readonly Cell[] }[] = [
    ...named.map(([lane, groupCells]) => ({ lane, cells: groupCells })),
    { cells: rest },
  ];
  return [
    ...impersonal,
    ...lanes.flatMap(({ cells: groupCells, ...lane }) =>
      mergeSmallBuckets(bucketsByTime(groupCells, ({ day }) => day)).flatMap(({ at, items }) =>
        leavesOf(items, persons, [...labelNames, ...tagLabelsOf(items)]).flatMap((leaf) =>
          hoursOf(at, leaf).map((cohort) => ({ ...cohort, ...lane })),
        ),
      ),
    ),
  ];
};
