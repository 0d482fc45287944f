import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '../../../../schemas/durations.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { occurredAtOf } from '../../../ingest/events/eventTimes.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { mayJoinRecords, partyOf } from '../../../ledger/records/dedup/statementPolicy.ts';
import type { ObservedUseStore } from '../../../ledger/records/sameCall/observedUse.store.ts';
import type { ObservedUse, ObserverKind } from '../../../ledger/records/sameCall/observedUse.ts';
import { toInvocationEvent } from '../../../ledger/records/storedEvent.ts';
import { setBounded } from '../../../platform/shared/caches/boundedMap.ts';
import { memoizeAsync } from '../../../platform/shared/caches/memoizeAsync.ts';
import { singleFlightBatch } from '../../../platform/shared/caches/singleFlightBatch.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { isHeld } from '../../../platform/shared/time/lease.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { CallJoiner, Joining, JoinStores } from './joinCalls.ts';
import { isWeaklyIdentified, observedUseOf, traceKeysOf, usageKeysOf } from './observedUse.ts';
import { callGroups, kindsOfTrace, kindsOfUsage, neighboursOf } from './sameCall.ts';
import { uncountedCalls } from './uncountedCalls.ts';

/**
 * How long before an observation the call can have begun for another observer. The shorter one is for calls that are repeated so
 * often that there are too many in the longer one.
 */
const CALL_DURATIONS_MS = [15 * 60_000, 10_000];
const CLOCKS_MS = 5_000;
/** Processes can note the first report of an observer this much later than their clocks say. */
const SINCE_MARGIN_MS = 60_000;
/** How far around a call records without a row are searched. */
const SEARCH_MS = 60_000;
const CACHE_MS = 5_000;
const CACHE_CAPACITY = 10_000;

/** A recorded call. */
export interface RecordedCall extends Joining {
  readonly event: InvocationEvent;
  readonly ulid: string;
  readonly lane: string | null;
}

export interface RecognitionStores extends Pick<JoinStores, 'count'> {
  readonly observed: ObservedUseStore;
  /** The newest versions of the records of a period in a lane. Null if there are too many to read. */
  readonly recordsAround: (
    tenant: Tenant,
    period: { readonly from: number; readonly to: number },
    lane: string | null,
  ) => Promise<readonly Attribution[] | null>;
  readonly clock: () => number;
}

/** What observations are compared by. */
interface Comparison {
  /** What the observations of one call share. */
  readonly keysOf: (event: InvocationEvent, lane: string | null) => readonly string[];
  /** The observers that can see the same call. */
  readonly othersIn: (
    observer: Omit<ObserverKind, 'since'>,
    kinds: readonly ObserverKind[],
  ) => readonly ObserverKind[];
  /** Joins records, by all observations that share a key. `read` reads them again. */
  readonly settle: (
    call: RecordedCall,
    uses: readonly ObservedUse[],
    read: () => Promise<readonly ObservedUse[] | null>,
  ) => Promise<void>;
}

/**
 * Recognises the call of a record by what other observers saw of it, where no id tells: its time, model and token counts, or its
 * trace if one of them states no counts. A row for each observation is written only if another kind of observer of the tenant can see the call, and one of both does not know the
 * ids of responses. So all other calls pay one read that all events in progress share.
 *
 *   record ──► kind of its observer ──► kinds of the tenant ──► row ──► rows with the same counts or trace ──► groups of records
 *
 * Each step is taken after the one before. So of two observers, either one finds the kind, the row and the record of the other,
 * or the other one does, however their processes interleave. Records from before their kinds were known have no row. They are
 * searched in the ledger.
 */
export const callRecognizer = (
  { observed, recordsAround, count, clock }: RecognitionStores,
  { join, joinUncounted, separate }: CallJoiner,
) => {
  const once = memoizeAsync<void>(CACHE_CAPACITY);
  const compared = new Map<string, { readonly since: number; readonly until: number }>();
  const readKinds = singleFlightBatch(([tenantId]: readonly [string, ...string[]]) =>
    observed.kinds(tenantId),
  );

  /** Since when all observers write rows that this one is compared with. Null if none can see its calls. */
  const comparedSince = async (
    key: string,
    tenantId: string,
    observer: Omit<ObserverKind, 'since'>,
    othersIn: Comparison['othersIn'],
  ): Promise<number | null> => {
    const cached = compared.get(key);
    if (cached !== undefined && isHeld(cached, CACHE_MS, clock())) return cached.since;
    const kinds = await readKinds(tenantId, tenantId);
    const others = othersIn(observer, kinds);
    if (others.length === 0) return null;
    const same = kinds.filter(({ since: _, ...one }) => isDeepStrictEqual(one, observer));
    const since = Math.max(...[...same, ...others].map((one) => one.since));
    setBounded(compared, key, { since, until: clock() + CACHE_MS }, CACHE_CAPACITY);
    return since;
  };

  /** Writes rows for records that have none. False if there are too many. */
  const addEarlier = async (
    { tenant, lane }: RecordedCall,
    use: ObservedUse,
    { keysOf }: Comparison,
    shared: string,
  ) => {
    const period = { from: use.from - SEARCH_MS, to: use.to + CLOCKS_MS };
    const records = await recordsAround(tenant, period, lane);
    for (const { record, storedEvent } of records ?? []) {
      const { stated_by: statedBy } = storedEvent;
      if (statedBy !== undefined && !mayJoinRecords(partyOf(statedBy))) continue;
      const event = toInvocationEvent(record, storedEvent);
      const [ulid, at] = [ulidInId(record.id), Date.parse(record.occurred_at)];
      const earlier = ulid === use.record ? null : observedUseOf(event, ulid, at, lane);
      if (earlier === null || !keysOf(event, lane).includes(shared)) continue;
      await observed.put(tenant.tenant_id, shared, earlier, clock());
    }
    return records !== null;
  };

  const compare = async (
    call: RecordedCall,
    use: ObservedUse,
    comparison: Comparison,
    { shared, since }: { readonly shared: string; readonly since: number },
  ): Promise<void> => {
    const { tenant_id: tenantId } = call.tenant;
    await observed.put(tenantId, shared, use, clock());
    const isComplete =
      use.from >= since + SINCE_MARGIN_MS || (await addEarlier(call, use, comparison, shared));
    const read = async () => {
      for (const duration of CALL_DURATIONS_MS) {
        const period = { from: use.from - duration, to: use.to + CLOCKS_MS };
        const found = await observed.uses(tenantId, shared, period);
        if (found !== null) return found;
      }
      return null;
    };
    const uses = isComplete ? await read() : null;
    if (uses === null) count(tenantId, 'ambiguous_calls');
    else await comparison.settle(call, uses, read);
  };

  /** Joins the groups of records with equal counts that the record belongs to. */
  const settleGroups: Comparison['settle'] = async (call, uses, read) => {
    const neighbours = neighboursOf(call.ulid, uses);
    if (neighbours.length < 2) return;
    const groupWith = (record: string, among: readonly ObservedUse[]) =>
      callGroups(among).find(({ records }) => records.includes(record));
    const isCurrentFor = (record: string) => async (): Promise<boolean> =>
      isDeepStrictEqual(groupWith(record, (await read()) ?? []), groupWith(record, uses));
    for (const record of neighbours) {
      if (groupWith(record, uses) === undefined) await separate(call, record, isCurrentFor(record));
    }
    for (const group of callGroups(uses)) {
      if (!group.records.some((record) => neighbours.includes(record))) continue;
      await join(call, group, isCurrentFor(group.records[0] ?? ''));
    }
  };

  /** Joins the calls without counts for which the record makes a difference. */
  const settleUncounted: Comparison['settle'] = async (call, uses, read) => {
    const partnersIn = (among: readonly ObservedUse[]) =>
      new Map(uncountedCalls(among).map(({ record, partners }) => [record, partners]));
    const before = partnersIn(uses.filter(({ record }) => record !== call.ulid));
    for (const [record, partners] of partnersIn(uses)) {
      if (isDeepStrictEqual(before.get(record) ?? [], partners)) continue;
      const isCurrent = async () => isDeepStrictEqual(partnersIn((await read()) ?? []).get(record), partners);
      await joinUncounted(call, { record, partners }, isCurrent);
    }
  };

  const comparisons: readonly Comparison[] = [
    { keysOf: usageKeysOf, othersIn: kindsOfUsage, settle: settleGroups },
    { keysOf: traceKeysOf, othersIn: kindsOfTrace, settle: settleUncounted },
  ];

  const recognize = async (call: RecordedCall): Promise<void> => {
    const { event, ulid, tenant, lane } = call;
    const { tenant_id: tenantId } = tenant;
    const use = observedUseOf(event, ulid, occurredAtOf(event), lane);
    if (use === null) return;
    const { kind, nearness, trace, counts } = use;
    const [isWeak, isTraced, isUncounted] = [
      isWeaklyIdentified(event),
      trace !== undefined,
      counts === undefined,
    ];
    const observer = { kind, nearness, isWeak, isTraced, isUncounted };
    const key = `${tenantId} ${kind} ${isWeak} ${isTraced} ${isUncounted}`;
    await once(`${key} ${Math.floor(clock() / DAY_MS)}`, () =>
      observed.noteKind(tenantId, { ...observer, since: clock() }),
    );
    for (const [index, comparison] of comparisons.entries()) {
      const keys = comparison.keysOf(event, lane);
      if (keys.length === 0) continue;
      const since = await comparedSince(`${key} ${index}`, tenantId, observer, comparison.othersIn);
      if (since === null) continue;
      for (const shared of keys) await compare(call, use, comparison, { shared, since });
    }
  };
  return recognize;
};
