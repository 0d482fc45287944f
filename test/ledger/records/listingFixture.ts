import fc from 'fast-check';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import { confidenceBandOf } from '../../../functions/attribution/engine/interpretation.ts';
import { reviser } from '../../../functions/attribution/engine/revise.ts';
import { archivedLedger } from '../../../functions/ledger/archive/reading/archivedLedger.ts';
import {
  archivedRecordVersions,
  archivedVersionBatch,
} from '../../../functions/ledger/archive/reading/archivedRecords.ts';
import type { ArchivedVersions } from '../../../functions/ledger/archive/reading/archivedVersions.ts';
import { withAnswers } from '../../../functions/ledger/records/answers.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { dedupClaimStore } from '../../../functions/ledger/records/dedup/dedupClaim.store.ts';
import { dedupClaimReader } from '../../../functions/ledger/records/dedup/dedupClaimReader.store.ts';
import { ledgerReader, ledgerWriter } from '../../../functions/ledger/records/ledger.store.ts';
import { recordPartitionOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { type Filter, matchesAll } from '../../../functions/ledger/records/query/filter.ts';
import {
  type Selection,
  type SelectionStores,
  selectRecords,
} from '../../../functions/ledger/records/query/selectRecords.ts';
import { traceRecordReader } from '../../../functions/ledger/records/query/traceRecord.store.ts';
import { versionBatchReader } from '../../../functions/ledger/records/query/versionBatch.store.ts';
import { VISIBILITY_LAG_MS } from '../../../functions/ledger/records/query/visibility.ts';
import {
  type RecordVersionStore,
  recordVersionStore,
} from '../../../functions/ledger/records/recordVersion.store.ts';
import { sortIndexCompactor } from '../../../functions/ledger/records/sortIndex/compactSortIndex.ts';
import { sortIndexCompactionStore } from '../../../functions/ledger/records/sortIndex/sortIndexCompaction.store.ts';
import { sortIndexReader } from '../../../functions/ledger/records/sortIndex/sortIndexReader.store.ts';
import { traceStore } from '../../../functions/ledger/records/trace/trace.store.ts';
import { Big } from '../../../functions/platform/shared/decimal.ts';
import { invocationUlid, recordUlid } from '../../../functions/platform/shared/ids.ts';
import { monthOf } from '../../../functions/platform/shared/time/month.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { anEvent, noFactors } from '../../attribution/engine/events.ts';
import { neverRaised } from '../../attribution/engine/neverRaised.ts';
import { eventIdOf, newTenant } from './ledgerFixture.ts';

/** Start time of the listings. */
export const START = Date.parse('2026-07-01T00:00:00Z');
const DAY = 24 * 60 * 60 * 1_000;

/** Fields that a correction can change. */
const mutableFields = {
  owner: fc.constantFrom(null, 'team-search', 'team-ads', 'team, with a comma'),
  service: fc.constantFrom(null, 'ranking', 'search'),
  cost_usd: fc.constantFrom(null, '0', '0.000000000001', '0.02', '0.1', '2', '10', '123456789012345678.5'),
  confidence: fc.constantFrom(0, 0.3, 0.5, 0.79, 0.8, 0.95),
  output_state: fc.constantFrom('deterministically_resolved', 'allocated', 'unresolved'),
  stage_origin: fc.constantFrom('stage_a', 'stage_b', 'stage_c'),
  status: fc.constantFrom('ok', 'error', 'incomplete'),
} as const;
export const changes = fc.record(mutableFields);
type Changes = typeof changes extends fc.Arbitrary<infer Value> ? Value : never;

/** Fields that are the same in all versions. */
interface ImmutableFields {
  readonly provider: string;
  readonly served_model: string;
  readonly trace_id: string | null;
  readonly end_user: string | null;
  readonly residency: string | null;
}
export const immutableFields: fc.Arbitrary<ImmutableFields> = fc.record({
  provider: fc.constantFrom('openai', 'anthropic'),
  served_model: fc.constantFrom('gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5'),
  trace_id: fc.constantFrom(null, 'trace-1', 'trace-2'),
  end_user: fc.constantFrom(null, 'ann@example.org', 'bo@example.org'),
  residency: fc.constantFrom(null, 'eu'),
});

export const someFilters: fc.Arbitrary<readonly Filter[]> = fc.constantFrom<readonly Filter[]>(
  [],
  [{ field: 'owner', operator: 'eq', values: ['team-search'] }],
  [{ field: 'owner', operator: 'ne', values: ['team-search'] }],
  [{ field: 'provider', operator: 'ne', values: ['anthropic'] }],
  [{ field: 'cost_usd', operator: 'ne', values: ['0.10'] }],
  [{ field: 'trace_id', operator: 'ne', values: ['trace-1'] }],
  [{ field: 'owner', operator: 'in', values: ['team-ads', 'team, with a comma'] }],
  [{ field: 'owner', operator: 'exists', values: ['false'] }],
  [{ field: 'service', operator: 'contains', values: ['rank'] }],
  [{ field: 'provider', operator: 'eq', values: ['anthropic'] }],
  [{ field: 'served_model', operator: 'contains', values: ['4o'] }],
  [{ field: 'pathway_category', operator: 'eq', values: ['gateway_mediated'] }],
  [{ field: 'output_state', operator: 'in', values: ['allocated', 'unresolved'] }],
  [{ field: 'confidence_band', operator: 'eq', values: ['provisional'] }],
  [{ field: 'stage_origin', operator: 'eq', values: ['stage_a'] }],
  [{ field: 'confidence', operator: 'gte', values: ['0.5'] }],
  [{ field: 'confidence', operator: 'lt', values: ['0.80'] }],
  [{ field: 'cost_usd', operator: 'gt', values: ['0.10'] }],
  [{ field: 'cost_usd', operator: 'eq', values: ['0.10'] }],
  [{ field: 'cost_usd', operator: 'lte', values: ['2.0'] }],
  [{ field: 'cost_usd', operator: 'exists', values: ['false'] }],
  [{ field: 'cost_usd', operator: 'exists', values: ['true'] }],
  [{ field: 'trace_id', operator: 'eq', values: ['trace-1'] }],
  [{ field: 'trace_id', operator: 'in', values: ['trace-1', 'trace-2', 'trace-3'] }],
  [{ field: 'end_user', operator: 'eq', values: ['ann@example.org'] }],
  [{ field: 'end_user', operator: 'ne', values: ['ann@example.org'] }],
  [{ field: 'end_user', operator: 'in', values: ['bo@example.org', 'cy@example.org'] }],
  [{ field: 'end_user', operator: 'contains', values: ['bo@'] }],
  [{ field: 'status', operator: 'eq', values: ['error'] }],
  [{ field: 'status', operator: 'ne', values: ['ok'] }],
  [{ field: 'end_user', operator: 'exists', values: ['true'] }],
  [{ field: 'end_user', operator: 'exists', values: ['false'] }],
  [
    { field: 'end_user', operator: 'contains', values: ['@'] },
    { field: 'owner', operator: 'ne', values: ['team-ads'] },
    { field: 'provider', operator: 'eq', values: ['openai'] },
  ],
  [
    { field: 'owner', operator: 'exists', values: ['true'] },
    { field: 'provider', operator: 'eq', values: ['openai'] },
    { field: 'confidence', operator: 'gt', values: ['0.3'] },
  ],
);

/** Times in two months, some of them in the same millisecond. */
export const moments = fc.oneof(
  fc.constantFrom('2026-05-31T23:59:59.999Z', '2026-06-01T00:00:00Z', '2026-06-10T09:00:00Z').map(Date.parse),
  fc.integer({ min: START - 50 * DAY, max: START - 20 * DAY }),
);
export const laterMoments = fc.oneof(moments, fc.integer({ min: START - 15 * DAY, max: START }));

export interface ListedRecord {
  readonly eventId: string;
  readonly occurredAt: number;
  readonly ulid: string;
}

const withChanges = (attribution: Attribution, to: Changes): Attribution => {
  const { confidence, stage_origin, ...members } = to;
  const { record, explanation } = attribution;
  const changed = {
    ...record,
    ...members,
    coper: confidence,
    interpretation: {
      ...record.interpretation,
      confidence,
      confidence_band: confidenceBandOf(confidence),
      stage_origin,
    },
  };
  return { ...attribution, record: withAnswers(changed, explanation) };
};

/** A tenant's ledger, with all versions ever written as a reference. */
export const listingFixture = (initialShardBits = 0, archive?: ArchivedVersions) => {
  const tenant = newTenant();
  let shardBits = initialShardBits;
  const history = new Map<string, AttributionRecord[]>();
  let now = START;
  const writer = ledgerWriter('ledger', () => 0);
  const claims = dedupClaimStore('claims');
  const traces = traceStore('traces');
  const withArchivedRecords = (store: RecordVersionStore): RecordVersionStore =>
    archive === undefined ? store : archivedRecordVersions(store, archive, () => now);
  const table = ledgerReader('ledger', () => START);
  const batch = versionBatchReader('ledger', () => START);
  const revise = reviser(
    withArchivedRecords(recordVersionStore('ledger', () => now)),
    () => now,
    neverRaised,
  );
  const compact = sortIndexCompactor(sortIndexCompactionStore('ledger'));
  const stores: SelectionStores = {
    ledger: archive === undefined ? table : archivedLedger(table, archive),
    sortIndex: sortIndexReader('ledger'),
    versions: archive === undefined ? batch : archivedVersionBatch(batch, archive),
    claims: dedupClaimReader('claims'),
    traces: traceRecordReader('traces'),
  };
  const insert = async (
    occurredAt: number,
    fixed: ImmutableFields,
    to: Changes,
    at: number,
  ): Promise<ListedRecord> => {
    const eventId = eventIdOf(history.size);
    const ulid = recordUlid(tenant.tenant_id, eventId, occurredAt, shardBits);
    const event = anEvent({
      event_id: eventId,
      provider: fixed.provider,
      served_model: fixed.served_model,
      ...(fixed.trace_id !== null && { trace_id: fixed.trace_id }),
      ...(fixed.end_user !== null && { end_user: fixed.end_user }),
    });
    const arrived = { occurredAt, receivedAt: at, residency: fixed.residency, record: ulid };
    const attribution = withChanges(attribute(event, arrived, tenant, noFactors), to);
    history.set(eventId, [attribution.record]);
    await claims.claim(tenant.tenant_id, invocationUlid(tenant.tenant_id, eventId), {
      occurredAt,
      receivedAt: at,
      contentHash: 'content',
      record: ulid,
      observer: 'observer',
      party: null,
      credential: null,
      lane: null,
    });
    if (fixed.trace_id !== null) {
      const trace = { tenantId: tenant.tenant_id, traceId: fixed.trace_id, lane: undefined };
      const span = { record: ulid, span_id: null, parent_span_id: null, reportsUsage: true };
      await traces.put(trace, span, at);
    }
    await writer.openMonth(tenant.tenant_id, monthOf(occurredAt), shardBits);
    await writer.add(recordPartitionOf(tenant, ulid), ulid, attribution);
    return { eventId, occurredAt, ulid };
  };

  const correct = async (listed: ListedRecord, to: Changes, at: number): Promise<void> => {
    now = at;
    await revise(tenant, listed.ulid, { claim: `at ${at}`, attempt: 1 }, (current, startsAt) => {
      const { record } = current;
      const as_of = new Date(startsAt()).toISOString();
      const next = withChanges({ ...current, record: { ...record, version: record.version + 1, as_of } }, to);
      history.get(listed.eventId)?.push(next.record);
      return next;
    });
  };

  return {
    tenant,
    stores,
    insert,
    correct,
    compact: () => compact(tenant.tenant_id),
    /** New records, at any time of the call, are spread more widely. */
    raiseShardBits: (to: number): void => {
      shardBits = to;
    },
    /** The version of a record that was valid at an instant, of those written so far. */
    versionAt: (eventId: string, at: number): AttributionRecord | undefined =>
      history.get(eventId)?.findLast(({ version, as_of }) => version === 1 || Date.parse(as_of) <= at),
    events: (): string[] => [...history.keys()],
    /** The times of the calls of all records, epoch milliseconds. */
    times: (): number[] =>
      [...history.values()].flatMap(([record]) =>
        record === undefined ? [] : Date.parse(record.occurred_at),
      ),
  };
};
export type ListingFixture = ReturnType<typeof listingFixture>;

export type ListQuery = Pick<Selection, 'field' | 'descending' | 'filters' | 'period' | 'residency'>;

const compareBy =
  ({ field, descending }: ListQuery) =>
  (one: AttributionRecord, other: AttributionRecord): number => {
    const sign = descending ? -1 : 1;
    const byTime = (one.id < other.id ? -1 : 1) * sign;
    if (field === 'occurred_at') return byTime;
    const [left, right] = [one, other].map((record) =>
      field === 'cost_usd' ? record.cost_usd : `${record.coper}`,
    );
    if (left === null || right === null || left === undefined || right === undefined) {
      return left === right ? byTime : left === null ? 1 : -1;
    }
    return Big(left).cmp(right) * sign || byTime;
  };

/** The records that a listing must return. */
export const expectedOf = (
  { versionAt }: ListingFixture,
  events: readonly string[],
  query: ListQuery,
): AttributionRecord[] => {
  const at = query.field === 'occurred_at' ? START : START - VISIBILITY_LAG_MS;
  const { period, residency, filters } = query;
  return events
    .flatMap((event) => versionAt(event, at) ?? [])
    .filter((record) => residency === null || record.residency === residency)
    .filter((record) => {
      const occurredAt = Date.parse(record.occurred_at);
      return occurredAt >= period.from && occurredAt < period.to;
    })
    .filter((record) => matchesAll(filters, record))
    .sort(compareBy(query));
};

export const sortRecords = (query: ListQuery, records: readonly AttributionRecord[]): AttributionRecord[] =>
  records.toSorted(compareBy(query));

/** Reads all pages of a listing with the given page sizes. Throws when it does not end. */
export const pagesOf = async (
  stores: SelectionStores,
  tenant: Tenant,
  query: ListQuery,
  sizes: readonly number[],
  between: (page: number) => Promise<void> = async () => undefined,
): Promise<AttributionRecord[]> => {
  const records: AttributionRecord[] = [];
  let after: string | undefined;
  for (let page = 0; page < 2_000; page += 1) {
    const limit = sizes[page % sizes.length] ?? 1;
    const { items, resume } = await selectRecords(stores, { ...query, tenant, after, asOf: START, limit });
    if (items.length > limit) throw new Error('a page exceeds its limit');
    records.push(...items.map(({ attribution }) => attribution.record));
    await between(page);
    if (resume === null) return records;
    after = resume;
  }
  throw new Error('the listing does not end');
};
