import { type Page, toPage } from '../../../platform/http/pages/paging.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../../platform/shared/time/month.ts';
import { ulidTime } from '../../../platform/shared/ulid.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { LedgerReader, Version } from '../ledger.store.ts';
import { type MonthShards, partitionsOfMonth } from '../ledgerKey.ts';
import { type Filter, matchesAll } from './filter.ts';
import { conditionBeforeSelection } from './filterCondition.ts';
import { mergePartitions } from './mergePartitions.ts';
import { keyAfterRecord, versionAsOfSelector } from './versionAsOf.ts';

export interface ListRequest {
  readonly tenant: Pick<Tenant, 'tenant_id'>;
  readonly period: Interval;
  readonly descending: boolean;
  /** The `resume` key of the previous page; undefined for the first page. */
  readonly after: string | undefined;
  /** Only records of this lane are returned; null returns all lanes. */
  readonly residency: string | null;
  /** Default: no filters. */
  readonly filters?: readonly Filter[];
  /** Versions are selected as of this instant, epoch milliseconds. */
  readonly asOf: number;
  readonly limit: number;
}

/** Sorts after every key with the same prefix. */
const LAST = '~';

/** The key range that is still to be read. */
const remainingKeys = ({ period, descending, after }: ListRequest): { from: string; to: string } => {
  const from = ulidTime(period.from);
  const to = `${ulidTime(period.to - 1)}${LAST}`;
  if (after === undefined) return { from, to };
  return descending ? { from, to: after } : { from: after, to };
};

/** The months of a period that have records, ascending. */
export const monthsWithin = (months: readonly MonthShards[], period: Interval): MonthShards[] => {
  const first = monthOf(Math.max(period.from, 0));
  const last = monthOf(period.to - 1);
  return months.filter(({ month }) => month >= first && month <= last);
};

/** The months that are still to be read, in the order of the query. */
const remainingMonths = (
  months: readonly MonthShards[],
  { period, descending }: ListRequest,
  range: { from: string; to: string },
): MonthShards[] => {
  const remaining = monthsWithin(months, period).filter(({ month }) => {
    const begin = startOfMonth(month);
    const end = startOfNextMonth(month);
    return `${ulidTime(end - 1)}${LAST}` >= range.from && ulidTime(begin) <= range.to;
  });
  return descending ? remaining.reverse() : remaining;
};

/**
 * The most versions examined for each one requested. Without it, superseded versions could make a page read the whole
 * ledger.
 */
const EXAMINED_FACTOR = 4;
/** The least versions examined by a filtering page. Without it, most pages of a rare selection would be empty. */
const MIN_EXAMINED_WHEN_FILTERING = 1_000;

/** The read budget of a page in versions, in addition to the first read of each partition. */
export const maxExamined = (wanted: number, isFiltering: boolean): number =>
  Math.max(EXAMINED_FACTOR * wanted, isFiltering ? MIN_EXAMINED_WHEN_FILTERING : 0);

/**
 * The next page of a tenant's records in order of time. Each record comes once, in the version that was valid at `asOf`,
 * provided that this version is in the lane and matches the filters.
 * Keys never change and reads are strongly consistent, so paging by key returns each existing record exactly once.
 * Reads per page are bounded: one for the directory, then about `limit` versions over the shards of each month, or up to
 * {@link maxExamined} versions when records are filtered out.
 */
export const listRecords = async (ledger: LedgerReader, request: ListRequest): Promise<Page<Version>> => {
  const { tenant, descending, asOf, residency, filters = [], limit } = request;
  const range = remainingKeys(request);
  // One more than requested shows whether there is a next page.
  const wanted = limit + 1;
  const condition = conditionBeforeSelection(filters, residency);
  const budget = { left: maxExamined(wanted, condition !== undefined) };
  const matches: Version[] = [];
  const selector = versionAsOfSelector(asOf, descending);
  const collect = (chosen: readonly Version[]) => {
    for (const version of chosen) {
      const { record } = version.attribution;
      if (isInLane(record.residency, residency) && matchesAll(filters, record)) matches.push(version);
    }
  };
  const isAtOrPast = (one: string, other: string): boolean => (descending ? one <= other : one >= other);
  for (const month of remainingMonths(await ledger.months(tenant.tenant_id), request, range)) {
    const merged = mergePartitions(ledger, {
      ...range,
      tenantId: tenant.tenant_id,
      partitions: partitionsOfMonth(tenant, month),
      wanted: wanted - matches.length,
      descending,
      condition,
      budget,
    });
    let last: Version | undefined;
    while (matches.length < wanted) {
      const next = await merged.next();
      if (next === undefined) break;
      last = next;
      collect(selector.add(next));
    }
    if (matches.length >= wanted) break;
    const nextKey = merged.nextKey();
    if (nextKey === undefined) continue;
    // The budget is used up. The pending candidate is selected only if all versions of its record have been read.
    const pending = selector.pending();
    if (pending !== undefined && last !== undefined && !isAtOrPast(nextKey, pending)) {
      return { items: matches, resume: selector.resume(last) };
    }
    collect(selector.end());
    const resumeAfterLast = last === undefined ? nextKey : selector.resume(last);
    return { items: matches, resume: isAtOrPast(resumeAfterLast, nextKey) ? resumeAfterLast : nextKey };
  }
  collect(selector.end());
  return toPage(matches, limit, ({ key }) => keyAfterRecord(key, descending));
};
