import { type Page, toPage } from '../../http/paging.ts';
import { timeOfUlid } from '../../shared/ulid.ts';
import { isInLane } from '../../tenancy/residency.ts';
import type { LedgerReader, Version } from '../ledger.store.ts';
import { partitionsOfMonth } from '../ledgerKey.ts';
import { type Filter, type FilterOperator, matchesAll } from './filter.ts';
import { conditionAsOf } from './filterCondition.ts';
import { type ListRequest, maxExamined, monthsWithin } from './listRecords.ts';
import { mergePartitions } from './mergePartitions.ts';
import {
  encodeSortable,
  KNOWN_RANGE,
  keyAfterValue,
  type SortField,
  type SortKeyRange,
  UNKNOWN_RANGE,
  ulidOfSortKey,
} from './sortKey.ts';
import { keyAfter } from './versionAsOf.ts';
import { isVisibleAt, VISIBILITY_LAG_MS } from './visibility.ts';

export interface SortedListRequest extends ListRequest {
  readonly field: SortField;
}

/** The sort key ranges that filters on the sort field allow, in reading order. Unknown values come last. */
const filterRanges = (filters: readonly Filter[], field: SortField): SortKeyRange[] => {
  const operandsOf = (...operators: readonly FilterOperator[]): string[] =>
    filters
      .filter((filter) => filter.field === field && operators.includes(filter.operator))
      .flatMap(({ values }) => values);
  const [lower, upper] = [operandsOf('eq', 'gt', 'gte'), operandsOf('eq', 'lt', 'lte')];
  const known = {
    from: lower.map(encodeSortable).sort().at(-1) ?? KNOWN_RANGE.from,
    to: upper.map(keyAfterValue).sort()[0] ?? KNOWN_RANGE.to,
  };
  const exists = operandsOf('exists');
  return [
    ...(exists.includes('false') ? [] : [known]),
    ...(exists.includes('true') || lower.length > 0 || upper.length > 0 ? [] : [UNKNOWN_RANGE]),
  ];
};

/** The ranges, or parts of them, that are still to be read. */
const remainingRanges = ({ filters = [], field, descending, after }: SortedListRequest): SortKeyRange[] => {
  const ranges = filterRanges(filters, field);
  if (after === undefined) return ranges;
  const isAmongUnknown = after >= UNKNOWN_RANGE.from;
  return ranges
    .filter((range) => range === UNKNOWN_RANGE || !isAmongUnknown)
    .map((range) => {
      if ((range === UNKNOWN_RANGE) !== isAmongUnknown) return range;
      return descending ? { ...range, to: after } : { ...range, from: after };
    });
};

/**
 * The next page of a tenant's records by cost or confidence. Equal values are sorted by time, unknown values come last.
 * Each record comes in the version that was valid {@link VISIBILITY_LAG_MS} before `asOf`, provided that this version is
 * in the period and the lane and matches the filters. The versions of a record are not adjacent in this order, so each
 * version is selected by its own validity, which every read sees completely after that lag.
 * Every page reads each partition of the period.
 */
export const listRecordsSorted = async (
  ledger: LedgerReader,
  request: SortedListRequest,
): Promise<Page<Version>> => {
  const { tenant, period, field, descending, residency, filters = [], limit } = request;
  const at = request.asOf - VISIBILITY_LAG_MS;
  const wanted = limit + 1;
  const condition = conditionAsOf(filters, residency, at);
  const budget = { left: maxExamined(wanted, true) };
  const months = monthsWithin(await ledger.months(tenant.tenant_id), period);
  const partitions = months.flatMap((month) => partitionsOfMonth(tenant, month));
  const isIncluded = (version: Version): boolean => {
    const occurredAt = timeOfUlid(ulidOfSortKey(version.key));
    if (occurredAt < period.from || occurredAt >= period.to || !isVisibleAt(version.validity, at))
      return false;
    const { record } = version.attribution;
    return isInLane(record, residency) && matchesAll(filters, record);
  };

  const matches: Version[] = [];
  if (partitions.length === 0) return { items: matches, resume: null };
  for (const range of remainingRanges(request)) {
    if (range.from > range.to) continue;
    const merged = mergePartitions(ledger, {
      ...range,
      tenantId: tenant.tenant_id,
      partitions,
      wanted: wanted - matches.length,
      descending,
      order: field,
      condition,
      budget,
    });
    while (matches.length < wanted) {
      const next = await merged.next();
      if (next === undefined) break;
      if (isIncluded(next)) matches.push(next);
    }
    if (matches.length >= wanted) break;
    const nextKey = merged.nextKey();
    if (nextKey !== undefined) return { items: matches, resume: nextKey };
  }
  return toPage(matches, limit, ({ key }) => keyAfter(key, descending));
};
