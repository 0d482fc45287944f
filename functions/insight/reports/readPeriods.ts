import type { Cohort } from '../../ledger/cohorts/cohorts.ts';
import { type CohortsResult, readCohorts } from '../../ledger/cohorts/readCohorts.ts';
import type { IndexLag } from '../../ledger/freshness/indexLag.ts';
import { completeUntil, type TotalsLag } from '../../ledger/freshness/totalsLag.ts';
import type { RollupReader } from '../../ledger/rollups/rollup.store.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import { calendarOf, type Tenant } from '../../platform/tenancy/tenant.ts';
import { endsIn, type RangeQuery, rangeAhead } from './range.ts';

export interface ReportStores {
  readonly rollups: RollupReader;
  readonly indexLag: Pick<IndexLag, 'totalsLag'>;
}

type Read = Pick<CohortsResult, 'cohorts' | 'newest'>;

/** The cohorts of a period that a report is compared with, and of the time ahead of it. */
export interface ComparedCohorts extends Read {
  readonly range: Interval;
  readonly ahead: readonly Cohort[];
}

/** Reads the cohorts of the months of a period. */
export const readPeriod = (
  { rollups }: Pick<ReportStores, 'rollups'>,
  tenant: Tenant,
  query: RangeQuery,
  period: Interval,
): Promise<Read> => readCohorts(rollups, tenant.tenant_id, period, endsIn(query, period, calendarOf(tenant)));

export const readCompared = async (
  stores: Pick<ReportStores, 'rollups'>,
  tenant: Tenant,
  query: RangeQuery,
  range: Interval,
): Promise<ComparedCohorts> => {
  const [read, ahead] = await Promise.all([
    readPeriod(stores, tenant, query, range),
    readCohorts(stores.rollups, tenant.tenant_id, rangeAhead(range)),
  ]);
  return { ...read, range, ahead: ahead.cohorts };
};

/** Which changes of the ledger the sums contain. */
export const freshnessOf = (read: readonly Read[], lag: TotalsLag, range: Interval, asOf: number) => ({
  // The start of the range claims nothing.
  as_of: toIso(
    completeUntil(Math.max(...read.map(({ newest }) => newest ?? 0)) || asOf, lag, asOf) ?? range.from,
  ),
  stale: lag.isStale,
});
