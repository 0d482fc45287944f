import type { ReportField, ReportInterval } from '../../../schemas/insight/reports.ts';
import { isTagField, type TagField, tagKeyOf } from '../../../schemas/tenants/costAllocationTags.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { startOf } from '../../ledger/rollups/grain.ts';
import type { Calendar } from '../../platform/shared/time/calendar.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';

/** A report row: cohorts that are shown together. */
export interface Row {
  readonly kind: 'group' | 'folded' | 'other';
  /** Start of its interval, epoch milliseconds; null without an interval. */
  readonly start: number | null;
  /** Values of the `group_by` fields. Suppressed values are absent. */
  readonly values: Partial<Record<ReportField, string | null>>;
  readonly cohorts: readonly Cohort[];
  /** The cohorts of the same groups in the period before, if they are compared. */
  readonly previous?: readonly Cohort[];
  /** Unique in a report. Rows are sorted by it: by time, then by name. */
  readonly sortKey: string;
}

/** The members of a row that name its group. */
export type GroupMembers = { readonly [field in Exclude<ReportField, TagField>]?: string | null } & {
  readonly tags?: Readonly<Record<string, string | null>>;
};

/** The members that name the group of a row. Its tags are one member. */
export const membersOf = (values: Row['values']): GroupMembers => {
  const entries = Object.entries(values);
  const tags = entries.flatMap(([field, value]) =>
    isTagField(field) ? [[tagKeyOf(field), value ?? null] as const] : [],
  );
  return {
    ...Object.fromEntries(entries.filter(([field]) => !isTagField(field))),
    ...(tags.length > 0 && {
      tags: Object.fromEntries(tags),
    }),
  };
};

const rowSortKey = (start: number | null, name: string): string =>
  `${start === null ? '' : toIso(start)}#${name}`;

/** The start of the hour in UTC, or of the day or month in the calendar. */
const intervalStart = (interval: ReportInterval, at: number, calendar: Calendar): number =>
  interval === 'hour' ? startOf('hour', at) : calendar.startOf(interval, at);

const timeOf = (field: 'day' | 'hour', at: number, calendar: Calendar): string =>
  field === 'day' ? calendar.dateOf(at) : toIso(startOf('hour', at));

const isTime = (field: ReportField): field is 'day' | 'hour' => field === 'day' || field === 'hour';

/** Groups cohorts into sorted rows. Each cohort is completely in one row. */
export const buildRows = (
  cohorts: readonly Cohort[],
  groupBy: readonly ReportField[],
  interval: ReportInterval | null,
  calendar: Calendar,
): Row[] => {
  const rows = new Map<string, Row & { readonly cohorts: Cohort[] }>();
  for (const cohort of cohorts) {
    const start = interval === null ? null : intervalStart(interval, cohort.at, calendar);
    const values: Row['values'] = {};
    for (const field of groupBy) {
      const value = isTime(field) ? timeOf(field, cohort.at, calendar) : cohort.labels[field];
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

/** Adds the cohorts of the period before to the rows of the same groups. Rows without an interval only. */
export const addPrevious = (rows: readonly Row[], before: readonly Row[]): Row[] => {
  const earlier = new Map(before.map((row) => [row.sortKey, row]));
  const compared = rows.map((row) => ({ ...row, previous: earlier.get(row.sortKey)?.cohorts ?? [] }));
  const known = new Set(rows.map(({ sortKey }) => sortKey));
  const ended = before
    .filter(({ sortKey }) => !known.has(sortKey))
    .map((row) => ({ ...row, cohorts: [], previous: row.cohorts }));
  return [...compared, ...ended].sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1));
};

/** Sorts after every name, since names are JSON arrays and start with a bracket. */
const OTHER = '~';

/** Keeps the rows of the top groups and merges all other groups of each interval into one row. */
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
      ...(tail.some(({ previous }) => previous !== undefined) && {
        previous: tail.flatMap(({ previous = [] }) => previous),
      }),
      sortKey: rowSortKey(start, OTHER),
    }),
  );
  return [...kept, ...others].sort((one, other) => (one.sortKey < other.sortKey ? -1 : 1));
};

/** The name of a row's group, independent of its interval. */
export const groupOf = ({ values }: Row): string => JSON.stringify(Object.entries(values));

/**
 * Number of groups suppressed in the cohorts, counted separately for each cohort so that counts of rows add up to the total.
 * A count of distinct groups would not add up. Since an owner may be a person, it would also be a count of persons.
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
