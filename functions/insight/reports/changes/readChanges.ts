import type { ChangesQuery } from '../../../../schemas/routes/insight/changes.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { invocationsOf } from '../../../ledger/cohorts/cohortTotals.ts';
import { decimal } from '../../../platform/shared/decimal.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import { calendarOf } from '../../../platform/tenancy/tenant.ts';
import { possibleCallsOf } from '../hiddenCalls.ts';
import { comparedRangeOf, rangeOf } from '../range.ts';
import { freshnessOf, type ReportStores, readCompared, readPeriod } from '../readPeriods.ts';
import { selectCohorts, selectCompared } from '../report.ts';
import { addPrevious, buildRows, membersOf } from '../reportRows.ts';
import type { PriceStores } from '../tokenPrices.ts';
import { unmatchedNames } from '../unmatchedNames.ts';
import { priceChanges } from './priceChanges.ts';
import { sumChange } from './sumChange.ts';

/** Smaller than every known change, so that an unknown one is the last. */
const UNKNOWN_SIZE = decimal('-1');
const sizeOf = ({ change_usd: change }: { readonly change_usd: string | null }) =>
  change === null ? UNKNOWN_SIZE : decimal(change).abs();

/**
 * The changes between two periods, and those of all calls that `isCounted`, as of `asOf` (epoch milliseconds). Throws INVALID_REQUEST
 * for an invalid range.
 */
export const readChanges = async (
  stores: ReportStores & PriceStores,
  caller: Pick<Caller, 'tenant' | 'residency' | 'scopes'>,
  query: ChangesQuery,
  asOf: number,
  isCounted: (cohort: Cohort) => boolean = () => true,
) => {
  const { tenant, residency } = caller;
  const { group_by: groupBy = [] } = query;
  const calendar = calendarOf(tenant);
  const range = rangeOf(query, asOf, calendar);
  const before = comparedRangeOf(query, range, calendar, asOf);
  // 500 kB, which most reports do not need.
  const { readPrices, weightsFrom } = await import('../tokenPrices.ts');
  const [{ prices }, now, compared, lag] = await Promise.all([
    readPrices(stores, caller),
    readPeriod(stores, tenant, query, range),
    readCompared(stores, tenant, query, before),
    stores.indexLag.totalsLag(tenant.tenant_id),
  ]);
  const current = selectCohorts(now.cohorts.filter(isCounted), query, range, residency);
  const earlier = selectCompared(
    { ...compared, cohorts: compared.cohorts.filter(isCounted), ahead: compared.ahead.filter(isCounted) },
    query,
    residency,
  );
  const weightsAt = weightsFrom(prices);
  const weightsOf = (provider: string, model: string) => weightsAt(provider, model, new Date(before.from));
  const rowsBefore = buildRows(earlier.matching, groupBy, null, calendar);
  const rowsNow = buildRows(current.matching, groupBy, null, calendar);
  const rows = addPrevious(rowsNow, rowsBefore).map((row) => ({
    kind: row.kind,
    ...membersOf(row.values),
    ...sumChange(
      { shown: row.previous ?? [], possible: possibleCallsOf(row, earlier) },
      { shown: row.cohorts, possible: possibleCallsOf(row, current) },
      weightsOf,
    ),
  }));
  return {
    rows: rows.toSorted((one, other) => sizeOf(other).cmp(sizeOf(one))),
    envelope: {
      totals: sumChange(
        { shown: earlier.matching, possible: earlier.undetermined },
        { shown: current.matching, possible: current.undetermined },
        weightsOf,
      ),
      period: current.period,
      undetermined_invocations: invocationsOf(current.undetermined),
      previous: {
        period: earlier.period,
        undetermined_invocations: invocationsOf(earlier.undetermined),
        complete: earlier.complete,
      },
      price_changes: priceChanges(
        [...current.matching, ...earlier.matching],
        { from: before.from, to: Math.min(range.to, asOf) },
        (provider, model, at) => weightsAt(provider, model, new Date(at)),
      ),
      warnings: unmatchedNames([...current.shown, ...earlier.shown], query),
      time_zone: calendar.timeZone,
      ...freshnessOf([now, compared], lag, range, asOf),
    },
  };
};
