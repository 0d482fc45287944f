import pMap from 'p-map';
import type { Page } from '../../http/paging.ts';
import { ulidInId } from '../../shared/ids.ts';
import { timeOfUlid } from '../../shared/ulid.ts';
import type { DedupClaimReader } from '../dedupClaim.store.ts';
import type { LedgerReader, Version } from '../ledger.store.ts';
import type { Filter, FilterField } from './filter.ts';
import { type ListRequest, listRecords, type Period } from './listRecords.ts';
import { listRecordsSorted } from './listRecordsSorted.ts';
import { selectByUlid } from './selectByUlid.ts';
import type { SortOrder } from './sortKey.ts';
import type { TraceRecordReader } from './traceRecord.store.ts';

export interface SelectionStores {
  readonly ledger: LedgerReader;
  readonly claims: DedupClaimReader;
  readonly traces: TraceRecordReader;
}

export interface Selection extends ListRequest {
  readonly filters: readonly Filter[];
  readonly field: SortOrder;
}

/** Claims and traces looked up at once. */
const CONCURRENCY = 16;
/** Records of traces that are read one by one; where there are more, a walk over the time they take finds them sooner. */
const MAX_TRACE_RECORDS = 200;

/** The values a record must have one of; undefined where nothing is asked of the field. */
const requestedValues = (filters: readonly Filter[], field: FilterField): string[] | undefined => {
  const [first, ...others] = filters.filter((filter) => filter.field === field);
  if (first === undefined) return undefined;
  return [...new Set(first.values)].filter((value) => others.every(({ values }) => values.includes(value)));
};

/** The records of invocations; null where a claim does not tell. */
const findByInvocations = async (
  { claims }: SelectionStores,
  tenantId: string,
  ids: readonly string[],
): Promise<string[] | null> => {
  const found = await pMap(ids, (id) => claims.recordOf(tenantId, ulidInId(id)), {
    concurrency: CONCURRENCY,
  });
  return found.includes(undefined) ? null : found.filter((ulid) => typeof ulid === 'string');
};

/** The records of traces; where they are too many, the time they take. */
const findByTraces = async (
  { traces }: SelectionStores,
  tenantId: string,
  ids: readonly string[],
): Promise<{ readonly ulids: string[] } | { readonly period: Period }> => {
  const read = (descending: boolean, limit: number) =>
    pMap(ids, (id) => traces.recordsOf(tenantId, id, { descending, limit }), { concurrency: CONCURRENCY });
  const ulids = (await read(false, MAX_TRACE_RECORDS + 1)).flat();
  if (ulids.length <= MAX_TRACE_RECORDS) return { ulids };
  const times = [...ulids, ...(await read(true, 1)).flat()].map(timeOfUlid);
  return { period: { from: Math.min(...times), to: Math.max(...times) + 1 } };
};

const listMatching = (ledger: LedgerReader, { field, ...request }: Selection): Promise<Page<Version>> =>
  field === 'occurred_at' ? listRecords(ledger, request) : listRecordsSorted(ledger, { ...request, field });

/**
 * The next records for which all filters hold, in the order asked for. Those of certain invocations or traces are read
 * under their own keys; any others are found by a walk.
 */
export const selectRecords = async (stores: SelectionStores, request: Selection): Promise<Page<Version>> => {
  const { ledger } = stores;
  const { tenant, filters, period } = request;
  const invocations = requestedValues(filters, 'invocation_id');
  if (invocations !== undefined) {
    const ulids = await findByInvocations(stores, tenant.tenant_id, invocations);
    return ulids === null ? listMatching(ledger, request) : selectByUlid(ledger, request, ulids);
  }
  const traces = requestedValues(filters, 'trace_id');
  if (traces === undefined) return listMatching(ledger, request);
  const found = await findByTraces(stores, tenant.tenant_id, traces);
  if ('ulids' in found) return selectByUlid(ledger, request, found.ulids);
  const from = Math.max(period.from, found.period.from);
  const to = Math.min(period.to, found.period.to);
  return from < to ? listMatching(ledger, { ...request, period: { from, to } }) : { items: [], resume: null };
};
