import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import { COHORT_MINIMUM } from '../../../schemas/insight/reports.ts';
import { QUARTER_MS } from '../rollups/grain.ts';
import {
  type Cell,
  type CellPart,
  cellsOfDay,
  countPersonsUpToMinimum,
  type Day,
  type LabelName,
  type Labels,
  labelNames,
  tagLabelsOf,
} from './cell.ts';
import type { PersonIndex } from './persons.ts';
import { suppressSmallGroups } from './suppressSmallGroups.ts';

/**
 * Calls that are only shown together. Every answer is a union of cohorts. A cohort has no persons, has at least
 * {@link COHORT_MINIMUM} persons, or covers all calls of its month.
 */
export interface Cohort {
  /** Start of the interval it is counted in, epoch milliseconds. */
  readonly at: number;
  /** Length of that interval, milliseconds. */
  readonly length: number;
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

/** The intervals that a cohort of a day is split into, from long to short. */
const INTERVALS = [HOUR_MS, QUARTER_MS, MINUTE_MS];

/**
 * Splits a cohort by shorter intervals, as far as its calls were read by these. Each result is counted within the interval
 * of the cohort, so a range that contains the interval has the same sum, whether it was split or not. Calls of another
 * interval that were moved here count at its start.
 */
const splitByTime = <Part extends Omit<Cohort, 'lane'>>(
  cohort: Part,
  [length, ...shorter]: readonly number[] = INTERVALS,
): Part[] => {
  if (length === undefined) return [cohort];
  const isOwn = ({ at }: CellPart): boolean => cohort.at <= at && at < cohort.at + cohort.length;
  if (!cohort.parts.some((part) => isOwn(part) && part.length <= length)) return [cohort];
  const startIn = (part: CellPart): number =>
    isOwn(part) ? Math.floor(part.at / length) * length : cohort.at;
  return mergeSmallBuckets(bucketsByTime(cohort.parts, startIn)).flatMap(({ at, items }) =>
    splitByTime({ ...cohort, at, length, parts: items }, shorter),
  );
};

/**
 * One cohort for a whole month, counted at the start of the last UTC day with calls: any later time of that day could still
 * be ahead of the end of a report. It is never split.
 */
const wholeOf = (cells: readonly Cell[]): Cohort[] => {
  const lanes = new Set(cells.map(({ lane }) => lane));
  const [lane = null] = lanes;
  return [
    {
      at: cells.reduce((last, { day }) => Math.max(last, day), 0),
      length: Math.min(...cells.flatMap(({ parts }) => parts.map(({ length }) => length))),
      ...(lanes.size === 1 && { lane }),
      labels: {},
      parts: cells.flatMap(({ parts }) => parts),
    },
  ];
};

/**
 * The cohorts of a UTC calendar month. The partition depends only on the month's data, never on the query, so that answers
 * to different queries cannot be subtracted. `days` must be all days of the month, and `persons` those of its daily rollups.
 * Reading a day by shorter intervals splits its cohorts further and moves no calls between them.
 */
export const cohortsOf = (persons: PersonIndex, days: readonly Day[]): Cohort[] => {
  const cells = days.flatMap((day) => cellsOfDay(day, persons));
  const personal = cells.filter(({ isPersonal }) => isPersonal);
  if (personal.length > 0 && countPersonsUpToMinimum(personal) < COHORT_MINIMUM) return wholeOf(cells);

  const impersonal = cells
    .filter(({ isPersonal }) => !isPersonal)
    .flatMap(({ lane, labels, parts }) =>
      parts.map((part) => ({ at: part.at, length: part.length, lane, labels, parts: [part] })),
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
          splitByTime({
            at,
            length: DAY_MS,
            labels: leaf.labels,
            parts: leaf.cells.flatMap(({ parts }) => parts),
            ...lane,
          }),
        ),
      ),
    ),
  ];
};
