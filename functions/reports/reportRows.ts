import type { CohortField, ReportField, ReportInterval } from '../../schemas/reports.ts';
import { sha256Of } from '../shared/hash.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../shared/month.ts';
import type { Cohort } from './cohorts.ts';
import type { Range } from './range.ts';

/** Cohorts that are shown as one. */
export interface Row {
  readonly kind: 'group' | 'folded' | 'other';
  /** Where its interval begins, epoch milliseconds. */
  readonly start: number | null;
  /** Its values of the fields that are grouped by; what is folded is absent. */
  readonly values: Partial<Record<ReportField, string | null>>;
  readonly cohorts: readonly Cohort[];
  /** Its place in the order of rows: by time, then by name. Short enough for a cursor, whatever the names. */
  readonly sortKey: string;
}

const NAME_LENGTH = 96;

const rowSortKey = (start: number | null, name: string): string =>
  `${start === null ? '' : new Date(start).toISOString()}#${name.slice(0, NAME_LENGTH)}#${sha256Of('row', name).toString('base64url').slice(0, 16)}`;

const INTERVAL_CHARACTERS: Readonly<Record<ReportInterval, number>> = { month: 7, day: 10, hour: 13 };
const INTERVAL_REST: Readonly<Record<ReportInterval, string>> = {
  month: '-01T00:00:00Z',
  day: 'T00:00:00Z',
  hour: ':00:00Z',
};

/** Where the hour, day or month of UTC begins that an instant lies in, as text. */
const beginningIn = (interval: ReportInterval, at: number): string =>
  new Date(at).toISOString().slice(0, INTERVAL_CHARACTERS[interval]) + INTERVAL_REST[interval];

const timeOf = (field: 'day' | 'hour', at: number): string =>
  field === 'day' ? new Date(at).toISOString().slice(0, 10) : new Date(at).toISOString();

const isTime = (field: ReportField): field is Exclude<ReportField, CohortField> =>
  field === 'day' || field === 'hour';

/** Whether everything in some cohorts was called in the very hour or day it is counted in. */
const isCountedInOwnInterval = (cohorts: readonly Cohort[]): boolean =>
  cohorts.every((cohort) => cohort.parts.every(({ at }) => at === cohort.at));

/**
 * What of a range may be shown to a caller, and whether that is all of it and no more. A cohort is shown wholly or not
 * at all, by where it is counted; a caller bound to a lane is shown those that lie in it. `exact` speaks of whole months:
 * answered for single days, it would tell on which of them somebody called.
 */
export const selectVisible = (
  cohorts: readonly Cohort[],
  { from, to }: Range,
  lane: string | null,
): { readonly shown: readonly Cohort[]; readonly exact: boolean } => {
  const isOwn = (cohort: Cohort): boolean => lane === null || cohort.lane === lane;
  const isLost = (cohort: Cohort): boolean =>
    !isOwn(cohort) && cohort.parts.some(({ cell }) => cell.lane === lane);
  const isExact = [...Map.groupBy(cohorts, ({ at }) => monthOf(at))].every(([month, inside]) => {
    const isCovered = from <= startOfMonth(month) && startOfNextMonth(month) <= to;
    return !inside.some(isLost) && (isCovered || isCountedInOwnInterval(inside.filter(isOwn)));
  });
  return {
    shown: cohorts.filter((cohort) => from <= cohort.at && cohort.at < to && isOwn(cohort)),
    exact: isExact,
  };
};

/** Parts cohorts into rows, in their order. Every cohort is in one row, wholly. */
export const buildRows = (
  cohorts: readonly Cohort[],
  groupBy: readonly ReportField[],
  interval: ReportInterval | null,
): Row[] => {
  const rows = new Map<string, Row & { readonly cohorts: Cohort[] }>();
  for (const cohort of cohorts) {
    const start = interval === null ? null : Date.parse(beginningIn(interval, cohort.at));
    const values: Row['values'] = {};
    for (const field of groupBy) {
      const value = isTime(field) ? timeOf(field, cohort.at) : cohort.labels[field];
      if (value !== undefined) values[field] = value;
    }
    const name = JSON.stringify(groupBy.map((field) => values[field] ?? (field in values ? null : 0)));
    const key = `${start}${name}`;
    const row = rows.get(key);
    if (row !== undefined) row.cohorts.push(cohort);
    else {
      const kind = groupBy.every((field) => field in values) ? 'group' : 'folded';
      rows.set(key, { kind, start, values, cohorts: [cohort], sortKey: rowSortKey(start, name) });
    }
  }
  return [...rows.values()].sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1));
};

/** Behind every name: they begin with a bracket. */
const OTHER = '~';

/** The rows of the top groups, and those of all other groups of an interval as one. */
export const collapseTail = (rows: readonly Row[], isTop: (row: Row) => boolean): Row[] => {
  const kept = rows.filter((row) => row.kind !== 'group' || isTop(row));
  const tails = Map.groupBy(
    rows.filter((row) => row.kind === 'group' && !isTop(row)),
    ({ start }) => start,
  );
  const others = [...tails].map(
    ([start, tail]): Row => ({
      kind: 'other',
      start,
      values: {},
      cohorts: tail.flatMap(({ cohorts }) => cohorts),
      sortKey: rowSortKey(start, OTHER),
    }),
  );
  return [...kept, ...others].sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1));
};

/** The name of a row's group whatever its interval. */
export const groupOf = ({ values }: Row): string => JSON.stringify(Object.entries(values));

/**
 * Groups that are folded into some cohorts, counted for each cohort anew: a number that adds up, like all that is told of
 * cohorts. Counts of distinct groups would not, and an owner may be a person.
 */
export const countSuppressedGroups = (
  cohorts: readonly Cohort[],
  groupBy: readonly ReportField[],
): number => {
  const fields = groupBy.filter((field) => !isTime(field));
  return cohorts.reduce((total, { labels, parts }) => {
    if (fields.every((field) => field in labels)) return total;
    const groups = parts.map(({ cell }) => JSON.stringify(fields.map((field) => cell.labels[field])));
    return total + new Set(groups).size;
  }, 0);
};
