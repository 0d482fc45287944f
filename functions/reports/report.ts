import type { ReportPeriod, TopMeasure } from '../../schemas/reports.ts';
import type { RouteShape } from '../../schemas/routes/route.ts';
import type { Cohort } from '../cohorts/cohorts.ts';
import { invocationsOf, totalOf } from '../cohorts/cohortTotals.ts';
import { type Range, readCohorts } from '../cohorts/readCohorts.ts';
import { selectVisible } from '../cohorts/selectVisible.ts';
import { completeUntil, type IndexLag } from '../freshness/indexLag.ts';
import { type ListCall, respondWithPage, toPage } from '../http/paging.ts';
import { type Reply, reply } from '../http/reply.ts';
import type { RollupReader } from '../rollups/rollup.store.ts';
import { decimal } from '../shared/decimal.ts';
import { orUnavailable } from '../shared/problem.ts';
import { toIso } from '../shared/time/toIso.ts';
import { filterCohorts } from './cohortFilter.ts';
import { isHourly, type RangeQuery, rangeOf } from './range.ts';
import { buildRows, collapseTail, countSuppressedGroups, groupOf, type Row } from './reportRows.ts';

type ReportQuery = RangeQuery & {
  readonly top?: number | undefined;
  readonly top_by?: TopMeasure | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
};

/** A row without its sums. */
type RowHeader = Row['values'] & Pick<Row, 'kind' | 'sortKey'> & { readonly interval_start?: string };

interface Report<Sums> {
  readonly rows: readonly (RowHeader & Sums)[];
  readonly totals: Sums;
  readonly period: ReportPeriod;
  readonly undetermined_invocations: number;
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

/** Builds a whole report for a caller's lane. Pure. */
export const reportOf = <Sums extends object>(
  cohorts: readonly Cohort[],
  query: ReportQuery,
  range: Range,
  lane: string | null,
  sumUp: SumUp<Sums>,
): Report<Sums> => {
  const { group_by: groupBy = [], interval = null, top, top_by: measure = 'cost_usd' } = query;
  const { shown, exact } = selectVisible(cohorts, range, lane);
  const { matching, undetermined } = filterCohorts(shown, query);
  const all = buildRows(matching, groupBy, interval);
  const rows = top === undefined ? all : collapseTail(all, topGroupMatcher(all, top, measure));
  return {
    rows: rows.map((row) => ({
      kind: row.kind,
      ...(row.start !== null && { interval_start: toIso(row.start) }),
      ...row.values,
      ...sumUp(row.cohorts, countSuppressedGroups(row.cohorts, groupBy)),
      sortKey: row.sortKey,
    })),
    totals: sumUp(matching, countSuppressedGroups(matching, groupBy)),
    period: {
      from: toIso(range.from),
      to: toIso(range.to),
      exact,
    },
    undetermined_invocations: invocationsOf(undetermined),
  };
};

type ReportCall = ListCall & {
  readonly query: ReportQuery;
  readonly stores: { readonly rollups: RollupReader; readonly indexLag: Pick<IndexLag, 'totalsLag'> };
};

/** Responds with a page of a report. Throws INVALID_REQUEST for an invalid range, and the errors of paging. */
export const respondWithReport = async <Sums extends object>(
  route: RouteShape,
  call: ReportCall,
  sumUp: SumUp<Sums>,
): Promise<Reply> => {
  const { query, caller, stores } = call;
  let envelope: object | undefined;
  const { body } = await respondWithPage(route, call, async ({ after = '', asOf }, limit) => {
    const range = rangeOf(query, asOf);
    const { tenant, residency } = caller;
    const [{ cohorts, newest }, lag] = await orUnavailable(() =>
      Promise.all([
        readCohorts(stores.rollups, tenant.tenant_id, range, isHourly(query)),
        stores.indexLag.totalsLag(tenant.tenant_id),
      ]),
    );
    const { rows, ...summary } = reportOf(cohorts, query, range, residency, sumUp);
    envelope = {
      ...summary,
      as_of: toIso(completeUntil(newest ?? asOf, lag) ?? asOf),
      stale: lag.isStale,
    };
    const remaining = rows.filter(({ sortKey }) => sortKey > after);
    const { items, resume } = toPage(remaining, limit, ({ sortKey }) => sortKey);
    return { items: items.map(({ sortKey: _sortKey, ...row }) => row), resume };
  });
  return reply(200, { ...(typeof body === 'object' ? body : {}), ...envelope });
};
