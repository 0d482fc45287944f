import type {
  PreviousPeriod,
  PreviousTotals,
  ReportPeriod,
  TopMeasure,
} from '../../../schemas/insight/reports.ts';
import type { FieldError } from '../../../schemas/problems.ts';
import type { RouteShape } from '../../../schemas/routes/route.ts';
import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { invocationsOf, totalOf } from '../../ledger/cohorts/cohortTotals.ts';
import { readCohorts } from '../../ledger/cohorts/readCohorts.ts';
import { selectVisible } from '../../ledger/cohorts/selectVisible.ts';
import type { IndexLag } from '../../ledger/freshness/indexLag.ts';
import { completeUntil } from '../../ledger/freshness/totalsLag.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
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
import { endsIn, type RangeQuery, rangeAhead, rangeBefore, rangeOf } from './range.ts';
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

type ReportQuery = RangeQuery & {
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

/** Sums cohorts. The second argument is the number of groups suppressed in them. */
type SumUp<Sums> = (cohorts: readonly Cohort[], suppressedGroups: number) => Sums;

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
  return { shown, matching, period, undetermined_invocations: invocationsOf(undetermined) };
};

/** The period before that of a report, with the cohorts of its months, and of the time ahead of it. */
interface Before {
  readonly range: Interval;
  readonly cohorts: readonly Cohort[];
  readonly ahead: readonly Cohort[];
}

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
  previous?: Before,
): Report<Sums> => {
  const { group_by: groupBy = [], interval = null, top, top_by: measure = 'cost_usd' } = query;
  const { shown, matching, period, undetermined_invocations } = selectCohorts(cohorts, query, range, lane);
  const before = previous && {
    ...selectCohorts(previous.cohorts, query, previous.range, lane),
    ahead: selectVisible(previous.ahead, rangeAhead(previous.range), lane).shown,
  };
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
      ...sumUp(row.cohorts, countSuppressedGroups(row.cohorts, groupBy)),
      ...(row.previous !== undefined && { previous: sumPrevious(row.previous) }),
    })),
    totals: sumUp(matching, countSuppressedGroups(matching, groupBy)),
    period,
    undetermined_invocations,
    warnings: unmatchedNames(shown, query),
    ...(before !== undefined && {
      previous: {
        period: before.period,
        totals: sumPrevious(before.matching),
        undetermined_invocations: before.undetermined_invocations,
        days_with_calls: new Set(before.shown.map(({ at }) => calendar.dateOf(at))).size,
        complete: before.ahead.length > 0,
      },
    }),
  };
};

type ReportCall = ListCall & {
  readonly query: ReportQuery;
  readonly stores: {
    readonly rollups: RollupReader;
    readonly indexLag: Pick<IndexLag, 'totalsLag'>;
    readonly results: ResultStore;
  };
};

/** Responds with a page of a report. Throws INVALID_REQUEST for an invalid range, and the errors of paging. */
export const respondWithReport = <Sums extends object>(
  route: RouteShape,
  call: ReportCall,
  sumUp: SumUp<Sums>,
): Promise<Reply> =>
  respondWithResult(route, call, async (asOf) => {
    const { query, caller, stores } = call;
    const { tenant, residency } = caller;
    const calendar = calendarOf(tenant);
    const range = rangeOf(query, asOf, calendar);
    const read = (period: Interval) =>
      readCohorts(stores.rollups, tenant.tenant_id, period, endsIn(query, period, calendar));
    const before = query.compare === undefined ? undefined : rangeBefore(query, range, calendar, asOf);
    const [current, previous, ahead, lag] = await Promise.all([
      read(range),
      before && read(before),
      before && readCohorts(stores.rollups, tenant.tenant_id, rangeAhead(before)),
      stores.indexLag.totalsLag(tenant.tenant_id),
    ]);
    const { rows, ...summary } = reportOf(
      current.cohorts,
      query,
      range,
      residency,
      sumUp,
      calendar,
      before && { range: before, cohorts: previous?.cohorts ?? [], ahead: ahead?.cohorts ?? [] },
    );
    const newest = Math.max(current.newest ?? 0, previous?.newest ?? 0) || asOf;
    return {
      rows,
      envelope: {
        ...summary,
        time_zone: calendar.timeZone,
        // The start of the range claims nothing.
        as_of: toIso(completeUntil(newest, lag) ?? range.from),
        stale: lag.isStale,
      },
    };
  });
