import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import { partyOf } from '../../../ledger/records/dedup/statementPolicy.ts';
import { recordPartitionOf } from '../../../ledger/records/ledgerKey.ts';
import type { Evidence } from '../../../ledger/records/trace/evidence.ts';
import { partitionOf } from '../../../ledger/records/trace/traceRow.store.ts';
import {
  callersOf,
  type Span,
  type TraceEvidence,
  type TraceLane,
} from '../../../ledger/records/trace/traceSpan.ts';
import type { TraceView } from '../../../ledger/records/trace/traceView.ts';
import type { MarkDirty } from '../../../ledger/rollups/marks/markDirty.ts';
import { type NonEmptyBatch, singleFlightBatch } from '../../../platform/shared/caches/singleFlightBatch.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import { homeLane, type Tenant } from '../../../platform/tenancy/tenant.ts';
import type { TenantAttributionContext } from '../attribute.ts';
import { combineObservations, type ObservedSpan, otherCallersOf } from '../observedSpan.ts';
import type { Revise } from '../revise.ts';
import { firstInformant, touchRecord } from './informants.ts';
import { type NestedUsage, nestedUsageOf } from './nestedUsage.ts';
import { traceOpener } from './openTrace.ts';
import { areStoredTogether } from './packedTrace.ts';
import { evidenceOf, nameResolver, passedOn, resolveEndUser, statedSpan } from './trace.ts';
import { type ReadEvidence, traceEvidenceReader } from './traceEvidence.ts';
import { type SettledSpan, traceFollower } from './traceFollower.ts';
import type { TraceScope, TraceStores } from './traceScope.ts';

/** Records that one event revises at most. A pass in the background does the rest, so that no trace blocks other events. */
const FOLLOWED_MAXIMUM = 100;
/** Spans above a span that are searched for the span itself. */
const LEVELS_MAXIMUM = 128;

/** The correlation of one event with its trace. */
export interface SpanCorrelation {
  /** Evidence from the spans that arrived before. */
  readonly evidence: TraceEvidence;
  /** The spans above and below that report usage too. */
  readonly nested: () => Promise<readonly NestedUsage[]>;
  /**
   * Must be called after the record is written. `isNew` is false when the record existed before. Writes a new version of
   * every record of the trace whose trace evidence changes.
   */
  readonly propagate: (isNew: boolean) => Promise<void>;
}

/**
 * Shares evidence between the spans of a trace, regardless of arrival order and of crashes. A span that finds no record of
 * a neighbour touches its row. So if the row of a span is untouched after its record is written, nothing about it has changed
 * since it was read, and it needs no second read.
 */
export const traceCorrelator = (
  stores: TraceStores & {
    readonly revise: Revise;
    readonly mark: MarkDirty;
    /** Default: {@link FOLLOWED_MAXIMUM}. */
    readonly followedMaximum?: number;
  },
) => {
  const { traces, agreements, records, requestPass, mark, clock } = stores;
  const { followedMaximum = FOLLOWED_MAXIMUM } = stores;
  const open = traceOpener(stores);
  const readEvidence = traceEvidenceReader(stores);
  const { settle, join, follow } = traceFollower(stores);

  /** Whether a caller of a span leads back to it. Circles of more spans than are searched are not found. */
  const leadsBack = async (view: TraceView, span: ObservedSpan, caller: string): Promise<boolean> => {
    let above: string | undefined = caller;
    for (let level = 0; above !== undefined && level < LEVELS_MAXIMUM; level += 1) {
      if (span.spanIds.includes(above)) return true;
      const informant: Span | null = await firstInformant(view, above, span);
      above = informant === null ? undefined : callersOf(informant)[0];
    }
    return false;
  };

  /**
   * In an invalid trace, spans call each other in a circle. The span that closes it has no caller, so that the usage of at
   * least one of them counts. Only a span that comes after its caller and after a span that it called can close one.
   */
  const breakCircle = async ({ trace }: TraceScope, { view, span }: SettledSpan): Promise<boolean> => {
    for (const caller of otherCallersOf(span)) {
      if (!(await leadsBack(view, span, caller))) continue;
      for (const row of await view.ofRecord(span)) await traces.detach(trace, row, clock());
      return true;
    }
    return false;
  };

  /** Many spans of one batch have the same caller. It is looked for again once for all of them. */
  const findAgain = singleFlightBatch(
    async ([{ scope, caller }]: NonEmptyBatch<{ readonly scope: TraceScope; readonly caller: Span }>) => {
      const { tenant, trace } = scope;
      const key = { partition: recordPartitionOf(tenant, caller.record), ulid: caller.record };
      const find = async () => (await records.find(tenant.tenant_id, key))?.newest.attribution ?? null;
      const found = await find();
      if (found !== null) return found;
      await touchRecord(traces, (await open(scope)).view, trace, caller);
      return find();
    },
  );
  /**
   * Whether a caller that had no record when the evidence was read has one that passes something on. Otherwise whoever
   * writes its record finds that its row was touched, and passes it on.
   */
  const isCallerBehind = async (scope: TraceScope, read: ReadEvidence): Promise<boolean> => {
    const { caller, isCallerMissing } = read;
    if (caller === null || !isCallerMissing) return false;
    const found = await findAgain(`${partitionOf(scope.trace)} ${caller.record}`, { scope, caller });
    if (found === null) return false;
    return (
      passedOn(caller.record, found, scope.resolveNames) !== null ||
      (evidenceOf(found).end_user ?? found.storedEvent.trace?.end_user) !== undefined
    );
  };

  /** Notes that spans of several credentials are connected. Returns whether that is news, so that they are compared. */
  const noteCredentials = async (
    { trace }: TraceScope,
    { severalCredentials }: ReadEvidence,
  ): Promise<boolean> => {
    if (severalCredentials !== 'unnoted') return false;
    const of = { connector: undefined, subject: 'credential' } as const;
    await agreements.write(trace, of, { expected: null, next: { state: 'conflicting' }, at: clock() });
    return true;
  };

  /**
   * Settles every record of a trace but that of the span that changed its agreement, if there are few: what a span names
   * itself comes first for it. Returns those that changed; null when there are more.
   */
  const settleAll = async (
    scope: TraceScope,
    { view, span: { record } }: SettledSpan,
    storedWith: Span | undefined,
  ): Promise<SettledSpan[] | null> => {
    const page = await view.page(null, followedMaximum);
    if (page.next !== null) return null;
    const isKnowing = (span: Span) => storedWith !== undefined && areStoredTogether(storedWith, span);
    const spans = page.spans.filter((span) => span.record !== record && !isKnowing(span));
    const changed: SettledSpan[] = [];
    for (const span of spans) {
      const { isChanged, settled } = await settle(scope, span);
      if (isChanged && settled !== null) changed.push(settled);
    }
    await mark(
      scope.tenant.tenant_id,
      spans.map(({ record }) => timeOfUlid(record)),
    );
    return changed;
  };

  /** Writes what is stated of a span. `own`: what it says itself. */
  const correlate = async (scope: TraceScope, stated: Span, own: Evidence): Promise<SpanCorrelation> => {
    const { tenant, trace } = scope;
    const ulid = stated.record;
    let written = await traces.put(trace, stated, clock());
    const viewed = await open(scope, written);
    // A pack of a trace that is indexed is not read.
    if (written.isPacked && viewed.view.packed === null) written = await traces.put(trace, stated, clock());
    const isAlone = viewed.view.packed === null && stated.observer === undefined;
    const span = combineObservations(isAlone ? [stated] : await viewed.view.ofRecord(stated));
    if (span === null) throw new Error('a span that was written has no row');
    const read = await readEvidence(viewed, span, { evidence: own });

    const propagate = async (isNew: boolean): Promise<void> => {
      const [isUntouched, isBehind] = await Promise.all([
        isNew && traces.isUntouched(written),
        isCallerBehind(scope, read),
      ]);
      const settleAgain = async (): Promise<SettledSpan | null> => {
        const again = await settle(scope, stated);
        await mark(tenant.tenant_id, [timeOfUlid(ulid)]);
        return again.settled;
      };
      const isCurrent = isUntouched && !isBehind;
      let settled = isCurrent ? { ...read, span, own } : await settleAgain();
      if (settled === null) return;
      const isBroken = settled.hasCalled && (await breakCircle(scope, settled));
      const isNews = await noteCredentials(scope, settled);
      if (isBroken || isNews) settled = await settleAgain();
      if (settled === null) return;
      const isDown = settled.hasCalled || !isCurrent;
      // An earlier attempt may have changed the agreement without telling the others.
      const witness = { record: ulid, evidence: settled.own };
      const isNaming = [scope.resolveNames, resolveEndUser].some((resolve) => resolve(witness) !== null);
      const isAgreementNew = settled.hasChangedAgreed || (await join(scope, settled)) || (!isNew && isNaming);
      // Spans of a pack are read together, before any of their records is written.
      const storedWith = isCurrent ? span : undefined;
      const changed = isAgreementNew ? await settleAll(scope, settled, storedWith) : [];
      // With all others, the spans that it called are settled.
      const isCalledOpen = isDown && (!isAgreementNew || changed === null);
      const starts = [
        { settled, isDown: isCalledOpen },
        ...(changed ?? []).map((one) => ({ settled: one, isDown: true })),
      ];
      const following = { limit: followedMaximum, isRetry: !isNew, storedWith };
      const isComplete = await follow(scope, starts, following);
      if (changed === null || !isComplete) await requestPass(trace);
    };
    return { evidence: read.evidence, nested: () => nestedUsageOf(span, read), propagate };
  };

  const scopeOf = (tenant: Tenant, context: TenantAttributionContext, trace: TraceLane): TraceScope => ({
    tenant,
    trace,
    context,
    resolveNames: nameResolver(context.mappings),
  });
  return {
    /** Null if the event is of no trace. */
    correlateSpan: async (
      event: InvocationEvent,
      ulid: string,
      tenant: Tenant,
      context: TenantAttributionContext,
      origin: Pick<Span, 'observer' | 'lane' | 'connector' | 'credential'>,
    ): Promise<SpanCorrelation | null> => {
      const { trace_id: traceId } = event;
      if (traceId === undefined) return null;
      const trace = { tenantId: tenant.tenant_id, traceId, lane: origin.lane };
      const scope = scopeOf(tenant, context, trace);
      const stated = statedSpan(event, ulid, origin, { ...scope, ...context });
      return correlate(scope, stated, stated.evidence);
    },
    /**
     * Tells a trace that others have added to a record of it, for example a log that knows no trace. From then on, its record says
     * what the span says.
     */
    tellTrace: async (
      { tenant, context, ulid }: { tenant: Tenant; context: TenantAttributionContext; ulid: string },
      { record, storedEvent }: Attribution,
    ): Promise<void> => {
      if (record.trace_id === null) return;
      const lane = record.residency === homeLane(tenant) ? undefined : (record.residency ?? undefined);
      const { stated_by: statedBy } = storedEvent;
      const connector = statedBy === undefined ? undefined : (partyOf(statedBy) ?? undefined);
      const scope = scopeOf(tenant, context, { tenantId: tenant.tenant_id, traceId: record.trace_id, lane });
      const [row] = await (await open(scope)).view.ofRecord({ record: ulid, lane, connector });
      // It has expired.
      if (row === undefined) return;
      const { evidence: _, packs: __, ...span } = row;
      const { propagate } = await correlate(scope, span, {});
      await propagate(false);
    },
  };
};
export type TraceCorrelator = ReturnType<typeof traceCorrelator>;
