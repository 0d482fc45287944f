import type { ReportPeriod } from '../../schemas/reports.ts';
import type { RouteShape } from '../../schemas/routes/route.ts';
import { page, stretchOf } from '../http/paging.ts';
import { type Reply, reply } from '../http/reply.ts';
import type { RollupReader } from '../rollups/rollup.store.ts';
import type { DerivedKey } from '../shared/aws/derivedKey.store.ts';
import { decimal } from '../shared/decimal.ts';
import { orUnavailable } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import type { Cohort } from './cohorts.ts';
import { type Asked, isHourly, type Range, rangeOf } from './range.ts';
import { cohortsWithin } from './read.ts';
import { groupOf, type Row, rowsOf, shownOf, suppressedIn, withoutTail } from './rows.ts';
import { costOf } from './sums.ts';

type ReportQuery = Asked & {
  readonly top?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
};

/** A row but for its sums. */
type Heading = Row['values'] & Pick<Row, 'kind' | 'place'> & { readonly interval_start?: string };

interface Report<Sums> {
  readonly rows: readonly (Heading & Sums)[];
  readonly totals: Sums;
  readonly period: ReportPeriod;
}

/** What sums some cohorts up, with the number of groups that are folded into them. */
type SumUp<Sums> = (cohorts: readonly Cohort[], suppressedGroups: number) => Sums;

/** Whether a row is of one of the groups that cost most in the whole range. */
const largest = (rows: readonly Row[], top: number): ((row: Row) => boolean) => {
  const groups = Map.groupBy(
    rows.filter(({ kind }) => kind === 'group'),
    groupOf,
  );
  const ranked = [...groups]
    .map(([name, parts]) => ({ name, cost: decimal(costOf(parts.flatMap(({ cohorts }) => cohorts))) }))
    .sort((one, other) => other.cost.cmp(one.cost) || (one.name < other.name ? -1 : 1));
  const names = new Set(ranked.slice(0, top).map(({ name }) => name));
  return (row) => names.has(groupOf(row));
};

/** The whole report as its caller may see it: a pure function of cohorts and question. */
export const reportOf = <Sums extends object>(
  cohorts: readonly Cohort[],
  query: ReportQuery,
  range: Range,
  lane: string | null,
  sumUp: SumUp<Sums>,
): Report<Sums> => {
  const { group_by: groupBy = [], interval = null, top } = query;
  const { shown, exact } = shownOf(cohorts, range, lane);
  const all = rowsOf(shown, groupBy, interval);
  const rows = top === undefined ? all : withoutTail(all, largest(all, top));
  return {
    rows: rows.map((row) => ({
      kind: row.kind,
      ...(row.start !== null && { interval_start: new Date(row.start).toISOString() }),
      ...row.values,
      ...sumUp(row.cohorts, suppressedIn(row.cohorts, groupBy)),
      place: row.place,
    })),
    totals: sumUp(shown, suppressedIn(shown, groupBy)),
    period: {
      from: new Date(range.from).toISOString(),
      to: new Date(range.to).toISOString(),
      exact,
    },
  };
};

/** Answers a page of a report. Throws INVALID_REQUEST for a range that cannot be reported, and what paging throws. */
export const answerReport = async <Sums extends object>(call: {
  readonly route: RouteShape;
  readonly query: ReportQuery;
  readonly caller: Caller;
  readonly receivedAt: number;
  readonly stores: { readonly rollups: RollupReader; readonly cursorKey: DerivedKey };
  readonly sumUp: SumUp<Sums>;
}): Promise<Reply> => {
  const { route, query, caller, receivedAt, stores, sumUp } = call;
  let around: object | undefined;
  const { body } = await page({
    route,
    query: { ...query },
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    stretch: async ({ after = '', asOf }, limit) => {
      const range = rangeOf(query, asOf);
      const { tenant, residency } = caller;
      const { cohorts, newest } = await orUnavailable(() =>
        cohortsWithin(stores.rollups, tenant.tenant_id, range, isHourly(query)),
      );
      const { rows, totals, period } = reportOf(cohorts, query, range, residency, sumUp);
      around = { totals, period, as_of: new Date(newest ?? asOf).toISOString() };
      const behind = rows.filter(({ place }) => place > after);
      const { items, resume } = stretchOf(behind, limit, ({ place }) => place);
      return { items: items.map(({ place: _place, ...row }) => row), resume };
    },
  });
  return reply(200, { ...(typeof body === 'object' ? body : {}), ...around });
};
