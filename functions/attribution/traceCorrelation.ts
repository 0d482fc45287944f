import pMap from 'p-map';
import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import type { Factors } from '../impact/factors.ts';
import type { TraceStore } from '../ledger/trace.store.ts';
import type { Span, TraceEvidence } from '../ledger/traceSpan.ts';
import type { MarkDirty } from '../rollups/markDirty.ts';
import { type NonEmptyBatch, singleFlightBatch } from '../shared/singleFlightBatch.ts';
import { timeOfUlid } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { AttributionContext } from './attribute.ts';
import { reattribute } from './reattribute.ts';
import type { Revise } from './revise.ts';
import { resolve } from './rules/resolution.ts';
import { correlate, hasConflictingNames, type ResolveSpanName, spanOf } from './trace.ts';

/** What a tenant's events are judged by at a time. */
export interface TenantAttributionContext extends Required<Omit<AttributionContext, 'trace'>> {
  readonly factors: Factors;
}

/** Records of one trace revised at once. */
const CONCURRENCY = 8;

/** Weak evidence is not handed on: the name of a key is the weakest there is, and a span has its own. */
const spanNameResolver = ({ mappings }: Pick<TenantAttributionContext, 'mappings'>): ResolveSpanName => {
  const known = new Map<string, ReturnType<ResolveSpanName>>();
  const nameOf: ResolveSpanName = ({ record, evidence }) => {
    const context = { mappings, occurredAt: timeOfUlid(record), trace: null };
    const { owner, service, basis, isWeak } = resolve(evidence, context);
    return basis === 'none' || isWeak ? null : { owner, service };
  };
  return (span) => {
    const name = known.has(span.record) ? (known.get(span.record) ?? null) : nameOf(span);
    known.set(span.record, name);
    return name;
  };
};

const NO_TRACE_EVIDENCE: TraceEvidence = { teacher: null, repeats: false };

const traceEvidenceFor = (
  spans: readonly Span[],
  record: string,
  resolveName: ResolveSpanName,
): TraceEvidence => correlate(spans, resolveName).get(record) ?? NO_TRACE_EVIDENCE;

const isSameEvidence = (one: TraceEvidence | undefined, other: TraceEvidence | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Records that may not say yet what their trace tells. What spans have taught is known to all the others; those that
 * have not taught yet may each rely on the other to, or have crashed, so whatever follows from any of them counts.
 */
export const staleRecords = (spans: readonly Span[], resolveName: ResolveSpanName): string[] => {
  const propagatedSpans = spans.filter(({ taught }) => taught);
  const [before, now] = [correlate(propagatedSpans, resolveName), correlate(spans, resolveName)];
  const isNewlyConflicting =
    hasConflictingNames(spans, resolveName) && !hasConflictingNames(propagatedSpans, resolveName);
  const isStale = (span: Span): boolean => {
    const known = span.taught ? before : correlate([...propagatedSpans, span], resolveName);
    if (!isSameEvidence(known.get(span.record), now.get(span.record))) return true;
    // Before the trace was divided it may have learnt from a span that did not settle.
    return isNewlyConflicting && now.get(span.record)?.teacher === null;
  };
  return spans.filter(isStale).map(({ record }) => record);
};

/** One event's part in its trace. */
export interface SpanCorrelation {
  /** What it learns from the spans that came before. */
  readonly evidence: TraceEvidence;
  /**
   * Called once its record is there, `isNew` where it was not before: what the trace tells by now is written into
   * every record that may not say so yet, as a new version.
   */
  readonly propagate: (isNew: boolean) => Promise<void>;
}

/** A span whose record is there, to be put together with its trace. */
interface SpanUpdate {
  readonly tenant: Tenant;
  readonly traceId: string;
  readonly span: Span;
  readonly context: TenantAttributionContext;
  readonly evidence: TraceEvidence;
  readonly isNew: boolean;
}

/**
 * Lets the spans of a trace learn from each other, whichever comes first and whatever crashes. Every span is made known
 * before its record is written, and looks at the others again behind that: so of two at the same moment either the one
 * finds the other's record and revises it, or the other, whose record comes later, sees the one by itself. It counts as
 * having taught only when all of that is done. Spans of one trace that are here at once share their reads and revisions.
 */
export const traceCorrelator = (stores: {
  readonly traces: TraceStore;
  readonly revise: Revise;
  readonly mark: MarkDirty;
  readonly clock: () => number;
}) => {
  const { traces, revise, mark, clock } = stores;

  const keyOf = ({ tenant_id }: Tenant, traceId: string): string => `${tenant_id}#${traceId}`;
  const readSpans = singleFlightBatch(
    ([{ tenant, traceId }]: NonEmptyBatch<Pick<SpanUpdate, 'tenant' | 'traceId'>>) =>
      traces.spans(tenant.tenant_id, traceId),
  );
  const spansOf = (tenant: Tenant, traceId: string): Promise<Span[]> =>
    readSpans(keyOf(tenant, traceId), { tenant, traceId });

  const propagate = singleFlightBatch(async (updates: NonEmptyBatch<SpanUpdate>): Promise<void> => {
    const [{ tenant, traceId, context, span: first }] = updates;
    const { tenant_id: tenantId } = tenant;
    const resolveName = spanNameResolver(context);
    const spans = await spansOf(tenant, traceId);
    const isUpToDate = ({ span, evidence, isNew }: SpanUpdate): boolean =>
      isNew && isSameEvidence(evidence, traceEvidenceFor(spans, span.record, resolveName));
    const upToDate = new Set(updates.filter(isUpToDate).map(({ span }) => span.record));
    const candidates = new Set([
      ...updates.map(({ span }) => span.record),
      ...staleRecords(spans, resolveName),
    ]);
    const stale = [...candidates].filter((record) => !upToDate.has(record));
    const reviseOne = (record: string) =>
      revise(tenant, record, { claim: `trace ${first.record}`, attempt: 1 }, async (current, at) => {
        // Read again each time: a version that somebody else wrote meanwhile may know of more spans.
        const trace = traceEvidenceFor(await spansOf(tenant, traceId), record, resolveName);
        return reattribute(current, tenant, context.factors, { ...context, trace }, at);
      });
    await pMap(stale, reviseOne, { concurrency: CONCURRENCY });
    await mark(tenantId, stale.map(timeOfUlid));
    // Most traces have one span: whoever joins it later teaches it, and looks at it once more for want of the mark.
    if (spans.length === 1) return;
    await pMap(updates, ({ span }) => traces.put(tenantId, traceId, { ...span, taught: true }, clock()), {
      concurrency: CONCURRENCY,
    });
  });

  return async (
    event: InvocationEvent,
    ulid: string,
    tenant: Tenant,
    context: TenantAttributionContext,
  ): Promise<SpanCorrelation | null> => {
    const { trace_id: traceId } = event;
    if (traceId === undefined) return null;
    const span = spanOf(event, ulid);
    await traces.put(tenant.tenant_id, traceId, span, clock());
    const evidence = traceEvidenceFor(await spansOf(tenant, traceId), ulid, spanNameResolver(context));
    return {
      evidence,
      propagate: (isNew) =>
        propagate(keyOf(tenant, traceId), { tenant, traceId, span, context, evidence, isNew }),
    };
  };
};
export type CorrelateSpan = ReturnType<typeof traceCorrelator>;
