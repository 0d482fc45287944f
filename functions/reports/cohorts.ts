import { COHORT_MINIMUM } from '../../schemas/reports.ts';
import {
  type Cell,
  type CellPart,
  compareModelDays,
  countPersonsUpToMinimum,
  type Day,
  type LabelName,
  type Labels,
  labelNames,
  PersonIndex,
} from './cell.ts';
import { suppressSmallGroups } from './suppressSmallGroups.ts';

/**
 * Calls that are only ever shown together. Every answer is a union of cohorts, and each has no person, at least
 * {@link COHORT_MINIMUM}, or is all that happened in its month.
 */
export interface Cohort {
  /** The hour or day it is counted in, epoch milliseconds. */
  readonly at: number;
  /** The residency lane all of it lies in; absent where that is folded. */
  readonly lane?: string | null;
  /** What all of it shares and may be told; what is folded is absent. */
  readonly labels: Partial<Labels>;
  readonly parts: readonly CellPart[];
}

interface TimeBucket<Item> {
  readonly at: number;
  readonly items: readonly Item[];
}

/**
 * Cuts what happened into stretches of enough persons, each counted where it came to have them. What is left at the end
 * goes to the last stretch: little moves, and to where there is more. Too few in all are none: they are never given out.
 */
const mergeSmallBuckets = <Item extends Pick<Cell, 'persons'>>(
  units: readonly TimeBucket<Item>[],
): TimeBucket<Item>[] => {
  const closed: { at: number; items: Item[] }[] = [];
  let open: Item[] = [];
  for (const { at, items } of units) {
    for (const item of items) open.push(item);
    if (countPersonsUpToMinimum(open) < COHORT_MINIMUM) continue;
    closed.push({ at, items: open });
    open = [];
  }
  const last = closed.at(-1);
  if (last !== undefined) last.items = last.items.concat(open);
  return closed;
};

const bucketsByTime = <Item>(items: readonly Item[], atOf: (item: Item) => number): TimeBucket<Item>[] =>
  [...Map.groupBy(items, atOf)]
    .map(([at, inside]) => ({ at, items: inside }))
    .sort((one, other) => one.at - other.at);

interface Leaf {
  readonly labels: Partial<Labels>;
  readonly cells: readonly Cell[];
}

/** Parts cells of enough persons by one label after another, as finely as each leaves enough. */
const leavesOf = (
  cells: readonly Cell[],
  known: PersonIndex,
  labels: Partial<Labels> = {},
  [name, ...others]: readonly LabelName[] = labelNames,
): Leaf[] => {
  if (name === undefined) return [{ labels, cells }];
  const { named, rest } = suppressSmallGroups(
    cells,
    (cell) => cell.labels[name],
    (value) => !known.isIdentity(value),
  );
  return [
    ...named.flatMap(([value, inside]) => leavesOf(inside, known, { ...labels, [name]: value }, others)),
    ...(rest.length > 0 ? leavesOf(rest, known, labels, others) : []),
  ];
};

/** A leaf of a day by its hours. What other days brought along counts as the day's first hour. */
const hoursOf = (day: number, { labels, cells }: Leaf): Omit<Cohort, 'lane'>[] => {
  const parts = cells.flatMap((cell) => cell.parts);
  const units = bucketsByTime(parts, ({ at, cell }) => (cell.day === day ? at : day));
  return mergeSmallBuckets(units).map(({ at, items }) => ({ at, labels, parts: items }));
};

/** All of a month as one, counted on the last day on which anything happened. */
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
 * The cohorts of a calendar month of UTC: a partition of its calls that follows from the month alone, never from what is
 * asked. `days` are all of its days. Reading a day by its hours parts its cohorts further and moves nothing between them.
 */
export const cohortsOf = (tenantId: string, days: readonly Day[]): Cohort[] => {
  const known = new PersonIndex(tenantId, days);
  const cells = days.flatMap((day) => compareModelDays(day, known));
  const personal = cells.filter(({ persons }) => persons.length > 0);
  if (personal.length > 0 && countPersonsUpToMinimum(personal) < COHORT_MINIMUM) return wholeOf(cells);

  const impersonal = cells
    .filter(({ persons }) => persons.length === 0)
    .flatMap(({ lane, labels, parts }) =>
      parts.map((part) => ({ at: part.at, lane, labels, parts: [part] })),
    );
  const { named, rest } = suppressSmallGroups(personal, ({ lane }) => lane);
  const lanes: { readonly lane?: string | null; readonly cells: readonly Cell[] }[] = [
    ...named.map(([lane, inside]) => ({ lane, cells: inside })),
    { cells: rest },
  ];
  return [
    ...impersonal,
    ...lanes.flatMap(({ cells: inside, ...lane }) =>
      mergeSmallBuckets(bucketsByTime(inside, ({ day }) => day)).flatMap(({ at, items }) =>
        leavesOf(items, known).flatMap((leaf) => hoursOf(at, leaf).map((cohort) => ({ ...cohort, ...lane }))),
      ),
    ),
  ];
};
