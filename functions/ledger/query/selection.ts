import pMap from 'p-map';
import type { Stretch } from '../../http/paging.ts';
import { ulidInId } from '../../shared/ids.ts';
import { timeOfUlid } from '../../shared/ulid.ts';
import type { ClaimReader } from '../claim.store.ts';
import type { LedgerReader, Version } from '../ledger.store.ts';
import type { Filter, FilterField } from './filter.ts';
import type { TraceReader } from './selection.store.ts';
import { selectByRecord } from './selectionByRecord.ts';
import { sortedWalk } from './sortedWalk.ts';
import type { Order } from './sortPlace.ts';
import { type Period, type WalkRequest, walk } from './walk.ts';

export interface SelectionStores {
  readonly ledger: LedgerReader;
  readonly claims: ClaimReader;
  readonly traces: TraceReader;
}

export interface Selection extends WalkRequest {
  readonly filters: readonly Filter[];
  readonly field: Order;
}

/** Claims and traces looked up at once. */
const CONCURRENCY = 16;
/** Records of traces that are read one by one; where there are more, a walk over the time they take finds them sooner. */
const RECORDS_MAXIMUM = 200;

/** The values a record must have one of; undefined where nothing is asked of the field. */
const wantedOf = (filters: readonly Filter[], field: FilterField): string[] | undefined => {
  const [first, ...others] = filters.filter((filter) => filter.field === field);
  if (first === undefined) return undefined;
  return [...new Set(first.values)].filter((value) => others.every(({ values }) => values.includes(value)));
};

/** The records of invocations; null where a claim does not tell. */
const ofInvocations = async (
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
const ofTraces = async (
  { traces }: SelectionStores,
  tenantId: string,
  ids: readonly string[],
): Promise<{ readonly ulids: string[] } | { readonly period: Period }> => {
  const read = (descending: boolean, limit: number) =>
    pMap(ids, (id) => traces.recordsOf(tenantId, id, { descending, limit }), { concurrency: CONCURRENCY });
  const ulids = (await read(false, RECORDS_MAXIMUM + 1)).flat();
  if (ulids.length <= RECORDS_MAXIMUM) return { ulids };
  const times = [...ulids, ...(await read(true, 1)).flat()].map(timeOfUlid);
  return { period: { from: Math.min(...times), to: Math.max(...times) + 1 } };
};

const walkOver = (ledger: LedgerReader, { field, ...request }: Selection): Promise<Stretch<Version>> =>
  field === 'occurred_at' ? walk(ledger, request) : sortedWalk(ledger, { ...request, field });

/**
 * The next records for which all filters hold, in the order asked for. Those of certain invocations or traces are read
 * under their own keys; any others are found by a walk.
 */
export const select = async (stores: SelectionStores, request: Selection): Promise<Stretch<Version>> => {
  const { ledger } = stores;
  const { tenant, filters, period } = request;
  const invocations = wantedOf(filters, 'invocation_id');
  if (invocations !== undefined) {
    const ulids = await ofInvocations(stores, tenant.tenant_id, invocations);
    return ulids === null ? walkOver(ledger, request) : selectByRecord(ledger, request, ulids);
  }
  const traces = wantedOf(filters, 'trace_id');
  if (traces === undefined) return walkOver(ledger, request);
  const found = await ofTraces(stores, tenant.tenant_id, traces);
  if ('ulids' in found) return selectByRecord(ledger, request, found.ulids);
  const from = Math.max(period.from, found.period.from);
  const to = Math.min(period.to, found.period.to);
  return from < to ? walkOver(ledger, { ...request, period: { from, to } }) : { items: [], resume: null };
};
