import pMap from 'p-map';
import { type Page, toPage } from '../../../platform/http/pages/paging.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import { isInLane } from '../../../platform/tenancy/residency.ts';
import type { LedgerReader, Version } from '../ledger.store.ts';
import { recordPartitionOf, versionKeyOf } from '../ledgerKey.ts';
import { matchesAll } from './filter.ts';
import type { ListRequest } from './listRecords.ts';
import { keyComparator, type SortOrder, sortKeyOf } from './sortKey.ts';
import { keyAfter, keyAfterRecord } from './versionAsOf.ts';
import { hasBegun, VISIBILITY_LAG_MS } from './visibility.ts';

/** Records read in parallel. */
const CONCURRENCY = 16;
/** Versions of a record per read: about one read unit. */
const VERSIONS_PER_READ = 4;

/** The version of a record that was valid at an instant (epoch milliseconds); undefined when the record does not exist. */
const versionAt = async (
  ledger: LedgerReader,
  tenant: ListRequest['tenant'],
  ulid: string,
  at: number,
): Promise<Version | undefined> => {
  const partition = recordPartitionOf(tenant, ulid);
  let to = `${ulid}#~`;
  for (;;) {
    const { versions, last } = await ledger.read(tenant.tenant_id, {
      partition,
      from: `${ulid}#`,
      to,
      descending: true,
      limit: VERSIONS_PER_READ,
    });
    const match = versions.find(({ validity }) => hasBegun(validity, at));
    if (match !== undefined || last === null) return match;
    to = keyAfter(last, true);
  }
};

const ulidOf = ({ key }: { readonly key: string }): string => key.slice(0, key.indexOf('#'));

/**
 * The next page of the records with these ULIDs. Each record is read under its own key, so the number of reads depends on
 * the number of ULIDs. Order and resume keys are the same as those of {@link listRecords} and listRecordsSorted.
 */
export const selectByUlid = async (
  ledger: LedgerReader,
  request: ListRequest & { readonly field: SortOrder },
  ulids: readonly string[],
): Promise<Page<Version>> => {
  const { tenant, period, descending, after, residency, filters = [], asOf, limit, field } = request;
  const compare = keyComparator(descending);
  const isRemaining = (key: string): boolean => after === undefined || compare(key, after) >= 0;
  const isIncluded = ({ attribution: { record } }: Version): boolean =>
    isInLane(record.residency, residency) && matchesAll(filters, record);
  const inPeriod = [...new Set(ulids)].filter((ulid) => {
    const occurredAt = timeOfUlid(ulid);
    return occurredAt >= period.from && occurredAt < period.to;
  });
  const read = async (chosen: readonly string[], at: number): Promise<Version[]> => {
    const versions = await pMap(chosen, (ulid) => versionAt(ledger, tenant, ulid, at), {
      concurrency: CONCURRENCY,
    });
    return versions.filter((version) => version !== undefined).filter(isIncluded);
  };

  if (field === 'occurred_at') {
    const remaining = inPeriod
      .map((ulid) => versionKeyOf(ulid, 1))
      .filter(isRemaining)
      .sort(compare);
    const page = toPage(remaining, limit, (key) => keyAfterRecord(key, descending));
    const items = await read(
      page.items.map((key) => ulidOf({ key })),
      asOf,
    );
    return { items, resume: page.resume };
  }

  const versions = await read(inPeriod, asOf - VISIBILITY_LAG_MS);
  const remaining = versions
    .map((version) => ({ ...version, key: sortKeyOf(version.attribution.record, ulidOf(version), field) }))
    .filter(({ key }) => isRemaining(key))
    .sort((one, other) => compare(one.key, other.key));
  return toPage(remaining, limit, ({ key }) => keyAfter(key, descending));
};
