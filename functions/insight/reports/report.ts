import type { FieldError } from '../../../schemas/fieldError.ts';
import type {
  PreviousPeriod,
  PreviousTotals,
  ReportPeriod,
  TopMeasure,
} from '../../../schemas/insight/reports.ts';
import type { RouteShape } from '../../../schemas/routes/route.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { invocationsOf, totalOf } from '../../ledger/cohorts/cohortTotals.ts';
import { selectVisible } from '../../ledger/cohorts/selectVisible.ts';
import type { ListCall } from '../../platform/http/pages/paging.ts';
import type { ResultStore } from '../../platform/http/pages/result.store.ts';
import { respondWithResult } from '../../platform/http/pages/resultPages.ts';
import type { Reply } from '../../platform/http/reply.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import type { Calendar } from '../../platform/shared/time/calendar.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { calendarOf } from '../../platform/tenancy/tenant.ts';
import { filterCohorts } from './cohortFilter.ts';
import { possibleCallsOf } from './hiddenCalls.ts';
import { type ComparedQuery, comparedRangeOf, rangeAhead, rangeOf } from './range.ts';
import {
  type ComparedCohorts,
  freshnessOf,
  type ReportStores,
  readCompared,
  readPeriod,
} from './readPeriods.ts';
import {
  addPrevious,
  buildRows,
  collapseTail,
  countSuppressedGroups,
  type GroupMembers,
  groupOf,
  membersOf,
  type Row,
} from './reportRows.ts';
import { sumPrevious } from './reportTotals.ts';
import { unmatchedNames } from './unmatchedNames.ts';

type ReportQuery = ComparedQuery & {
  readonly top?: number | undefined;
  readonly top_by?: TopMeasure | undefined;
  readonly compare?: 'previous_period' | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
};

/** A row without its sums. */
type RowHeader = GroupMembers & Pick<Row, 'kind'> & { readonly interval_start?: string };

interface Report<Sums> {
  readonly rows: readonly (RowHeader & Sums & { readonly previous?: PreviousTotals })[];
  readonly totals: Sums;
  readonly period: ReportPeriod;
  readonly undetermined_invocations: number;
  readonly warnings: readonly FieldError[];
  readonly previous?: PreviousPeriod;
}

/** Sums cohorts. `possible` are those that suppression hides and that may be of the same group. */
type SumUp<Sums> = (
  cohorts: readonly Cohort[],
  suppressedGroups: number,
  possible: () => readonly Cohort[],
) => Sums;

/** Returns a predicate for rows of the groups with the highest sum of a measure over the whole range. */
const topGroupMatcher = (rows: readonly Row[], top: number, measure: TopMeasure): ((row: Row) => boolean) => {
  const groups = Map.groupBy(
    rows.filter(({ kind }) => kind === 'group'),
    groupOf,
  );
  const ranked = [...groups]
    .map(([name, parts]) => ({
      name,
      sum: decimal(
        totalOf(
          parts.flatMap(({ cohorts }) => cohorts),
          measure,
        ),
      ),
    }))
    .sort((one, other) => other.sum.cmp(one.sum) || (one.name < other.name ? -1 : 1));
  const names = new Set(ranked.slice(0, top).map(({ name }) => name));
  return (row) => names.has(groupOf(row));
};

/** The cohorts of a range that a caller may see and that match the filters. */
export const selectCohorts = (
  cohorts: readonly Cohort[],
  query: ReportQuery,
  range: Interval,
  lane: string | null,
) => {
  const { shown, exact } = selectVisible(cohorts, range, lane);
  const { matching, undetermined } = filterCohorts(shown, query);
  const period = { from: toIso(range.from), to: toIso(range.to), exact };
  return { shown, matching, undetermined, period };
};

/** The same for the period before. It is complete if the tenant already sent calls ahead of it. */
export const selectCompared = (
  { cohorts, range, ahead }: Omit<ComparedCohorts, 'newest'>,
  query: ReportQuery,
  lane: string | null,
) => ({
  ...selectCohorts(cohorts, query, range, lane),
  complete: selectVisible(ahead, rangeAhead(range), lane).shown.length > 0,
});

/**
 * Builds a whole report for a caller's lane. Pure. Each sum of the period before is one that a report of that period shows.
 */
export const reportOf = <Sums extends object>(
  cohorts: readonly Cohort[],
  query: ReportQuery,
  range: Interval,
  lane: string | null,
  sumUp: SumUp<Sums>,
  calendar: Calendar,
  previous?: Omit<ComparedCohorts, 'newest'>,
): Report<Sums> => {
  const { group_by: groupBy = [], interval = null, top, top_by: measure = 'cost_usd' } = query;
  const { shown, matching, undetermined, period } = selectCohorts(cohorts, query, range, lane);
  const before = previous && selectCompared(previous, query, lane);
  const own = buildRows(matching, groupBy, interval, calendar);
  const all =
    before !== undefined && interval === null
      ? addPrevious(own, buildRows(before.matching, groupBy, null, calendar))
      : own;
  const rows = top === undefined ? all : collapseTail(all, topGroupMatcher(all, top, measure));
  return {
    rows: rows.map((row) => ({
      kind: row.kind,
      ...(row.start !== null && { interval_start: toIso(row.start) }),
      ...membersOf(row.values),
      ...sumUp(row.cohorts, countSuppressedGroups(row.cohorts, groupBy), () =>
        possibleCallsOf(row, { matching, undetermined }),
      ),
      ...(row.previous !== undefined && { previous: sumPrevious(row.previous) }),
    })),
    totals: sumUp(matching, countSuppressedGroups(matching, groupBy), () => undetermined),
    period,
    undetermined_invocations: invocationsOf(undetermined),
    warnings: unmatchedNames(shown, query),
    ...(before !== undefined && {
      previous: {
        period: before.period,
        totals: sumPrevious(before.matching),
        undetermined_invocations: invocationsOf(before.undetermined),
        days_with_calls: new Set(before.shown.map(({ at }) => calendar.dateOf(at))).size,
        complete: before.complete,
      },
    }),
  };
};

type ReportCall = ListCall & {
  readonly query: ReportQuery;
  readonly stores: ReportStores & { readonly results: ResultStore };
};

/**
 * Responds with a page of a report. `readMembers` reads further members of the answer about its range. Throws INVALID_REQUEST
 * for an invalid range, and the errors of paging.
 */
export const respondWithReport = <Sums extends object>(
  route: RouteShape,
  call: ReportCall,
  sumUp: SumUp<Sums>,
  readMembers: (range: Interval) => Promise<object> = async () => ({}),
): Promise<Reply> =>
  respondWithResult(route, call, async (asOf) => {
    const { query, caller, stores } = call;
    const { tenant, residency } = caller;
    const calendar = calendarOf(tenant);
    const range = rangeOf(query, asOf, calendar);
    const isCompared = query.compare !== undefined || query.previous_from !== undefined;
    const before = isCompared ? comparedRangeOf(query, range, calendar, asOf) : undefined;
    const [current, compared, lag, members] = await Promise.all([
      readPeriod(stores, tenant, query, range),
      before && readCompared(stores, tenant, query, before),
      stores.indexLag.totalsLag(tenant.tenant_id),
      readMembers(range),
    ]);
    const { rows, ...summary } = reportOf(
      current.cohorts,
      query,
      range,
      residency,
      sumUp,
      calendar,
      compared,
    );
    return {
      rows,
      envelope: {
        ...summary,
        ...members,
        time_zone: calendar.timeZone,
        ...freshnessOf(compared === undefined ? [current] : [current, compared], lag, range, asOf),
      },
    };
  });
