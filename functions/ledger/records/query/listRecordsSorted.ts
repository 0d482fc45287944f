import { type Page, toPage } from '../../../platform/http/pages/paging.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';
import type { LedgerReader, Version } from '../ledger.store.ts';
import { versionKeyOf } from '../ledgerKey.ts';
import { selectSortKeys } from '../sortIndex/selectSortKeys.ts';
import type { SortIndexReader } from '../sortIndex/sortIndexReader.store.ts';
import { matchesAll } from './filter.ts';
import { type ListRequest, maxExamined, monthsWithin } from './listRecords.ts';
import { type SortField, sortKeyOf, versionInSortKey } from './sortKey.ts';
import { keyAfter } from './versionAsOf.ts';
import type { VersionBatchReader } from './versionBatch.store.ts';
import { isVisibleAt, VISIBILITY_LAG_MS } from './visibility.ts';

export interface SortedListStores {
  readonly ledger: Pick<LedgerReader, 'months'>;
  readonly sortIndex: SortIndexReader;
  readonly versions: VersionBatchReader;
}

export interface SortedListRequest extends ListRequest {
  readonly field: SortField;
}

/** Sort entries read beyond the requested ones, because some are of versions that are not valid any more. */
const EXTRA_ENTRIES = 10;
/** The limit of BatchGetItem. */
const MAX_BATCH = 100;

/**
 * The next page of a tenant's records by cost or confidence. Equal values are sorted by time, unknown values come last.
 * Each record comes in the version that was valid {@link VISIBILITY_LAG_MS} before `asOf`, provided that this version is
 * in the period and the lane and matches the filters. The versions of a record are not adjacent in this order, so each
 * version is selected by its own validity, which every read sees completely after that lag.
 *
 * The index gives candidates, a superset of the versions that exist. The ledger has the last word on existence, values and
 * validity. So no page contains a record that a crashed writer announced only, or a sort entry that a retry moved.
 */
export const listRecordsSorted = async (
  stores: SortedListStores,
  request: SortedListRequest,
): Promise<Page<Version>> => {
  const { tenant, period, field, descending, residency, filters = [], limit } = request;
  const at = request.asOf - VISIBILITY_LAG_MS;
  const wanted = limit + 1;
  const months = monthsWithin(await stores.ledger.months(tenant.tenant_id), period).map(({ month }) => month);
  const blocks = await stores.sortIndex.blocks(tenant.tenant_id, months);

  /** The version at a sort entry, if the ledger agrees. */
  const verify = (key: string, version: Version | undefined): Version[] => {
    if (version === undefined || !isVisibleAt(version.validity, at)) return [];
    const { record } = version.attribution;
    const isSameEntry = sortKeyOf(record, versionInSortKey(key).ulid, field) === key;
    if (!isSameEntry || !isInLane(record.residency, residency) || !matchesAll(filters, record)) return [];
    return [{ ...version, key }];
  };

  const matches: Version[] = [];
  let { after } = request;
  for (let left = maxExamined(wanted, true); left > 0; ) {
    const size = Math.min(MAX_BATCH, wanted - matches.length + EXTRA_ENTRIES);
    const query = { field, descending, filters, residency, period, after };
    const keys = selectSortKeys(blocks, query, size);
    const last = keys.at(-1);
    if (last === undefined) return toPage(matches, limit, ({ key }) => keyAfter(key, descending));
    const versions = await stores.versions.read(tenant, keys.map(versionInSortKey));
    for (const key of keys) {
      const { ulid, version } = versionInSortKey(key);
      matches.push(...verify(key, versions.get(versionKeyOf(ulid, version))));
    }
    if (matches.length >= wanted || keys.length < size) {
      return toPage(matches.slice(0, wanted), limit, ({ key }) => keyAfter(key, descending));
    }
    left -= keys.length;
    after = keyAfter(last, descending);
  }
  return { items: matches, resume: after ?? null };
};
