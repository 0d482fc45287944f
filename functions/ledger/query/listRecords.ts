import { type Page, toPage } from '../../http/paging.ts';
import { type Month, monthOf, startOfMonth, startOfNextMonth } from '../../shared/month.ts';
import { ulidTime } from '../../shared/ulid.ts';
import { isInLane } from '../../tenancy/residency.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import type { LedgerReader, Version } from '../ledger.store.ts';
import { partitionsOfMonth } from '../ledgerKey.ts';
import { type Filter, matchesAll } from './filter.ts';
import { conditionBeforeSelection } from './filterCondition.ts';
import { mergePartitions } from './mergePartitions.ts';
import { keyAfterRecord, versionAsOfSelector } from './versionAsOf.ts';

/** A stretch of time, epoch milliseconds: `from` included, `to` not. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

export interface ListRequest {
  readonly tenant: Pick<Tenant, 'tenant_id' | 'shards'>;
  readonly period: Period;
  readonly descending: boolean;
  /** Bound of the keys that are left, as the page before gave it; undefined at the start. */
  readonly after: string | undefined;
  /** The only lane whose records are shown; null shows every lane's. */
  readonly residency: string | null;
  /** What the records shown have in common; default nothing. */
  readonly filters?: readonly Filter[];
  /** Which versions are seen, epoch milliseconds. */
  readonly asOf: number;
  readonly limit: number;
}

/** Sorts behind every key with the same beginning. */
const LAST = '~';

/** The keys between which a walk still moves. */
const remainingKeys = ({ period, descending, after }: ListRequest): { from: string; to: string } => {
  const from = ulidTime(period.from);
  const to = `${ulidTime(period.to - 1)}${LAST}`;
  if (after === undefined) return { from, to };
  return descending ? { from, to: after } : { from: after, to };
};

/** The months of a period that hold records, ascending. */
export const monthsWithin = (months: readonly Month[], period: Period): Month[] => {
  const first = monthOf(Math.max(period.from, 0));
  const last = monthOf(period.to - 1);
  return months.filter((month) => month >= first && month <= last);
};

/** The months a walk has yet to visit, in its direction. */
const remainingMonths = (
  months: readonly Month[],
  { period, descending }: ListRequest,
  range: { from: string; to: string },
): Month[] => {
  const ahead = monthsWithin(months, period).filter((month) => {
    const begin = startOfMonth(month);
    const end = startOfNextMonth(month);
    return `${ulidTime(end - 1)}${LAST}` >= range.from && ulidTime(begin) <= range.to;
  });
  return descending ? ahead.reverse() : ahead;
};

/** Versions examined for each one asked for, at most: what a newer version hides must not make a page read the whole ledger. */
const EXAMINED_FACTOR = 4;
/** Versions examined by a page that leaves records out, at least: most pages of a rare selection would be empty. */
const MIN_EXAMINED_WHEN_FILTERING = 1_000;

/** Versions a page may look at, besides what it reads of each partition at first. */
export const maxExamined = (wanted: number, isFiltering: boolean): number =>
  Math.max(EXAMINED_FACTOR * wanted, isFiltering ? MIN_EXAMINED_WHEN_FILTERING : 0);

/**
 * The next versions of a tenant's records in order of time, one for each record: the one that held at `asOf`, where it
 * is in the lane and the filters hold for it.
 * Keys never change and reads are strongly consistent, so a walk from key to key returns what was there exactly once.
 * Reads are bounded by the page: one for the months, then about `limit` versions over the shards of each month, or
 * where records are left out so many as {@link examinedMost} says.
 */
export const listRecords = async (ledger: LedgerReader, request: ListRequest): Promise<Page<Version>> => {
  const { tenant, descending, asOf, residency, filters = [], limit } = request;
  const range = remainingKeys(request);
  // One more than asked for tells whether the collection goes on.
  const wanted = limit + 1;
  const condition = conditionBeforeSelection(filters, residency);
  const budget = { left: maxExamined(wanted, condition !== undefined) };
  const found: Version[] = [];
  const selector = versionAsOfSelector(asOf, descending);
  const collect = (chosen: readonly Version[]) => {
    for (const version of chosen) {
      const { record } = version.attribution;
      if (isInLane(record, residency) && matchesAll(filters, record)) found.push(version);
    }
  };
  const isAtOrPast = (one: string, other: string): boolean => (descending ? one <= other : one >= other);
  for (const month of remainingMonths(await ledger.months(tenant.tenant_id), request, range)) {
    const merged = mergePartitions(ledger, {
      ...range,
      tenantId: tenant.tenant_id,
      partitions: partitionsOfMonth(tenant, month),
      wanted: wanted - found.length,
      descending,
      condition,
      budget,
    });
    let last: Version | undefined;
    while (found.length < wanted) {
      const next = await merged.next();
      if (next === undefined) break;
      last = next;
      collect(selector.offer(next));
    }
    if (found.length >= wanted) break;
    const place = merged.place();
    if (place === undefined) continue;
    // The budget has ended. What stands to be chosen is, where all its versions have been seen.
    const pending = selector.pending();
    if (pending !== undefined && last !== undefined && !isAtOrPast(place, pending)) {
      return { items: found, resume: selector.resume(last) };
    }
    collect(selector.end());
    const resumeAfterLast = last === undefined ? place : selector.resume(last);
    return { items: found, resume: isAtOrPast(resumeAfterLast, place) ? resumeAfterLast : place };
  }
  collect(selector.end());
  return toPage(found, limit, ({ key }) => keyAfterRecord(key, descending));
};
