import pMap from 'p-map';
import type { RecordFilterName } from '../../../../schemas/attribution/recordFilters.ts';
import type { Page } from '../../../platform/http/pages/paging.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import type { DedupClaimReader } from '../dedup/dedupClaimReader.store.ts';
import type { LedgerReader, Version } from '../ledger.store.ts';
import type { Filter } from './filter.ts';
import { type ListRequest, listRecords } from './listRecords.ts';
import { listRecordsSorted, type SortedListStores } from './listRecordsSorted.ts';
import { selectByUlid } from './selectByUlid.ts';
import type { SortOrder } from './sortKey.ts';
import type { TraceRecordReader } from './traceRecord.store.ts';

export interface SelectionStores extends SortedListStores {
  readonly ledger: LedgerReader;
  readonly claims: DedupClaimReader;
  readonly traces: TraceRecordReader;
}

export interface Selection extends ListRequest {
  readonly filters: readonly Filter[];
  readonly field: SortOrder;
}

/** Claims and traces read in parallel. */
const CONCURRENCY = 16;
/** The most records of traces that are read one by one. Above it, a query over their time range is faster. */
const MAX_TRACE_RECORDS = 200;

/** The values that `filters` allow for a field; undefined when no filter requires a value. */
const requestedValues = (filters: readonly Filter[], field: RecordFilterName): string[] | undefined => {
  const [first, ...others] = filters.filter(
    ({ field: filtered, operator }) => filtered === field && operator !== 'ne',
  );
  if (first === undefined) return undefined;
  return [...new Set(first.values)].filter((value) => others.every(({ values }) => values.includes(value)));
};

/** ULIDs of the records of invocations. */
const findByInvocations = async (
  { claims }: SelectionStores,
  tenantId: string,
  ids: readonly string[],
): Promise<string[]> => {
  const ulids = await pMap(ids, (id) => claims.recordOf(tenantId, ulidInId(id)), {
    concurrency: CONCURRENCY,
  });
  return ulids.filter((ulid) => ulid !== null);
};

/**
 * ULIDs of the records of traces; or their time range when there are more than {@link MAX_TRACE_RECORDS}. The range is that of
 * the request if the traces have records of several lanes or connectors, which are not in one order of time.
 */
const findByTraces = async (
  { traces }: SelectionStores,
  tenantId: string,
  ids: readonly string[],
  period: Interval,
): Promise<{ readonly ulids: string[] } | { readonly period: Interval }> => {
  const read = (descending: boolean, limit: number) =>
    pMap(ids, (id) => traces.recordsOf(tenantId, id, { descending, limit }), { concurrency: CONCURRENCY });
  const first = (await read(false, MAX_TRACE_RECORDS + 1)).flat();
  if (first.length <= MAX_TRACE_RECORDS) return { ulids: [...new Set(first.map(({ ulid }) => ulid))] };
  const found = [...first, ...(await read(true, 1)).flat()];
  if (!found.every(({ isOrdered }) => isOrdered)) return { period };
  const times = found.map(({ ulid }) => timeOfUlid(ulid));
  return { period: { from: Math.min(...times), to: Math.max(...times) + 1 } };
};

const listMatching = (stores: SelectionStores, { field, ...request }: Selection): Promise<Page<Version>> =>
  field === 'occurred_at'
    ? listRecords(stores.ledger, request)
    : listRecordsSorted(stores, { ...request, field });

/**
 * The next page of records that match all filters, in the requested order. Records of given invocations or traces are
 * read under their own keys. All others are found by a query over the period.
 */
export const selectRecords = async (stores: SelectionStores, request: Selection): Promise<Page<Version>> => {
  const { ledger } = stores;
  const { tenant, filters, period } = request;
  const invocations = requestedValues(filters, 'invocation_id');
  if (invocations !== undefined) {
    const ulids = await findByInvocations(stores, tenant.tenant_id, invocations);
    return selectByUlid(ledger, request, ulids);
  }
  const traces = requestedValues(filters, 'trace_id');
  if (traces === undefined) return listMatching(stores, request);
  const located = await findByTraces(stores, tenant.tenant_id, traces, period);
  if ('ulids' in located) return selectByUlid(ledger, request, located.ulids);
  const from = Math.max(period.from, located.period.from);
  const to = Math.min(period.to, located.period.to);
  return from < to ? listMatching(stores, { ...request, period: { from, to } }) : { items: [], resume: null };
};
