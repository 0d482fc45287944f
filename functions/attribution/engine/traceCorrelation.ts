import pMap from 'p-map';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import type { TraceStore } from '../../ledger/records/trace/trace.store.ts';
import type { Span, TraceEvidence } from '../../ledger/records/trace/traceSpan.ts';
import type { MarkDirty } from '../../ledger/rollups/marks/markDirty.ts';
import { type NonEmptyBatch, singleFlightBatch } from '../../platform/shared/singleFlightBatch.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { TenantAttributionContext } from './attribute.ts';
import { reattribute } from './reattribute.ts';
import type { Revise, RevisionOutcome } from './revise.ts';
import { resolve } from './rules/resolution.ts';
import { correlate, hasConflictingNames, type ResolveSpanName, spanOf, viewsOf } from './trace.ts';

/** Records of one trace revised in parallel. */
const CONCURRENCY = 8;

/** Weak evidence is not propagated: the name of a provider key is the weakest kind, and each span has its own. */
const spanNameResolver = ({ mappings }: Pick<TenantAttributionContext, 'mappings'>): ResolveSpanName => {
  const known = new Map<string, ReturnType<ResolveSpanName>>();
  const nameOf: ResolveSpanName = ({ record, evidence }) => {
    const context = { mappings, occurredAt: timeOfUlid(record), trace: null };
    const { owner, service, basis, isWeak } = resolve(evidence, context);
    return basis === 'none' || isWeak ? null : { owner, service };
  };
  return (span) => {
    const key = `${span.record} ${span.observer ?? ''}`;
    const name = known.has(key) ? (known.get(key) ?? null) : nameOf(span);
    known.set(key, name);
    return name;
  };
};

const NO_TRACE_EVIDENCE: TraceEvidence = { source: null, repeatsUsage: false };

const traceEvidenceFor = (
  spans: readonly Span[],
  record: string,
  resolveName: ResolveSpanName,
): TraceEvidence => correlate(spans, resolveName).get(record) ?? NO_TRACE_EVIDENCE;

const isSameEvidence = (one: TraceEvidence | undefined, other: TraceEvidence | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const staleRecordsOf = (
  own: readonly Span[],
  spans: readonly Span[],
  resolveName: ResolveSpanName,
): string[] => {
  const propagatedSpans = spans.filter(({ propagated }) => propagated);
  const [before, now] = [correlate(propagatedSpans, resolveName), correlate(spans, resolveName)];
  const isNewlyConflicting =
    hasConflictingNames(spans, resolveName) && !hasConflictingNames(propagatedSpans, resolveName);
  const isStale = (span: Span): boolean => {
    const known = span.propagated ? before : correlate([...propagatedSpans, span], resolveName);
    if (!isSameEvidence(known.get(span.record), now.get(span.record))) return true;
    // Before the conflict, the record may have used evidence of a span that is not propagated.
    return isNewlyConflicting && now.get(span.record)?.source === null;
  };
  return own.filter(isStale).map(({ record }) => record);
};

/**
 * Records whose stored trace evidence may be outdated. The evidence of propagated spans has reached all other records.
 * Spans that are not propagated may be in progress at the same time, or their process may have crashed. So every record
 * that any of them can affect is included.
 */
export const staleRecords = (spans: readonly Span[], resolveName: ResolveSpanName): string[] =>
  viewsOf(spans).flatMap(({ own, visible }) => staleRecordsOf(own, visible, resolveName));

/** The correlation of one event with its trace. */
export interface SpanCorrelation {
  /** Evidence from the spans that arrived before. */
  readonly evidence: TraceEvidence;
  /**
   * Must be called after the record is written. `isNew` is false when the record existed before. Writes a new version of
   * every record of the trace whose trace evidence is outdated.
   */
  readonly propagate: (isNew: boolean) => Promise<void>;
}

/** A span whose record is written, and whose evidence is to be propagated. */
interface SpanUpdate {
  readonly tenant: Tenant;
  readonly traceId: string;
  readonly span: Span;
  readonly context: TenantAttributionContext;
  readonly evidence: TraceEvidence;
  readonly isNew: boolean;
  /** The write of the span, if there was no other span of its trace when the evidence was read. */
  readonly loneWriteId: string | null;
}

/**
 * Shares evidence between the spans of a trace, regardless of arrival order and of crashes. Every span is stored before
 * its record is written, and the other spans are read again afterwards. So of two concurrent spans, either the first
 * finds the record of the second and revises it, or the second writes its record later and reads the first span itself.
 * A span counts as propagated only after all of this. Concurrent spans of one trace share their reads and revisions.
 *
 * Most traces have one span when it arrives. It needs no second query: a later span that does not find its record touches
 * its row first, and then looks for the record again. So if the row is untouched after the record is written, every later
 * span finds the record.
 */
export const traceCorrelator = (stores: {
  readonly traces: TraceStore;
  readonly revise: Revise;
  readonly mark: MarkDirty;
  readonly clock: () => number;
}) => {
  const { traces, revise, mark, clock } = stores;

  type LaneOfTrace = Pick<SpanUpdate, 'tenant' | 'traceId'> & { readonly span: Pick<Span, 'lane'> };
  const keyOf = ({ tenant, traceId, span }: LaneOfTrace): string =>
    `${tenant.tenant_id}#${traceId}#${span.lane ?? ''}`;
  const readSpans = singleFlightBatch(([{ tenant, traceId, span }]: NonEmptyBatch<LaneOfTrace>) =>
    traces.spans(tenant.tenant_id, traceId, span.lane),
  );
  const spansOf = (trace: LaneOfTrace): Promise<Span[]> => readSpans(keyOf(trace), trace);

  /** Revises a record of a trace. If it does not exist yet, whoever writes it learns that this span concerns it. */
  const reviseOrTouch = async (
    { tenant, traceId }: SpanUpdate,
    spans: readonly Span[],
    record: string,
    reviseRecord: () => Promise<RevisionOutcome>,
  ): Promise<void> => {
    if ((await reviseRecord()) !== 'missing') return;
    const rows = spans.filter((span) => span.record === record);
    for (const row of rows) await traces.touch(tenant.tenant_id, traceId, row);
    await reviseRecord();
  };

  const isAlone = async ({ tenant, traceId, span, isNew, loneWriteId }: SpanUpdate): Promise<boolean> =>
    isNew && loneWriteId !== null && traces.isUntouched(tenant.tenant_id, traceId, span, loneWriteId);

  const propagateAll = singleFlightBatch(async (updates: NonEmptyBatch<SpanUpdate>): Promise<void> => {
    const [{ tenant, traceId, context, span: first }] = updates;
    const { tenant_id: tenantId } = tenant;
    const resolveName = spanNameResolver(context);
    const spans = await spansOf(updates[0]);
    const isUpToDate = ({ span, evidence, isNew }: SpanUpdate): boolean =>
      isNew && isSameEvidence(evidence, traceEvidenceFor(spans, span.record, resolveName));
    const upToDate = new Set(updates.filter(isUpToDate).map(({ span }) => span.record));
    const candidates = new Set([
      ...updates.map(({ span }) => span.record),
      ...staleRecords(spans, resolveName),
    ]);
    const stale = [...candidates].filter((record) => !upToDate.has(record));
    const reviseOne = (record: string) => () =>
      revise(tenant, record, { claim: `trace ${first.record}`, attempt: 1 }, async (current, at) => {
        // Another observer of the call knows a trace that says more.
        if (current.record.trace_id !== traceId) return null;
        // Read again on each attempt: a version written in the meantime may be based on more spans.
        const trace = traceEvidenceFor(await spansOf(updates[0]), record, resolveName);
        return reattribute(current, tenant, context.factors, { ...context, trace }, at);
      });
    await pMap(stale, (record) => reviseOrTouch(updates[0], spans, record, reviseOne(record)), {
      concurrency: CONCURRENCY,
    });
    await mark(tenantId, stale.map(timeOfUlid));
    // Most traces have one span. Saves the write: a later span sees it as not propagated and includes it again.
    if (spans.length === 1) return;
    await pMap(updates, ({ span }) => traces.put(tenantId, traceId, { ...span, propagated: true }, clock()), {
      concurrency: CONCURRENCY,
    });
  });

  return async (
    event: InvocationEvent,
    ulid: string,
    tenant: Tenant,
    context: TenantAttributionContext,
    origin: Pick<Span, 'observer' | 'lane' | 'connector' | 'credential'>,
  ): Promise<SpanCorrelation | null> => {
    const { trace_id: traceId } = event;
    if (traceId === undefined) return null;
    const span = spanOf(event, ulid, origin);
    const writeId = await traces.put(tenant.tenant_id, traceId, span, clock());
    const spans = await spansOf({ tenant, traceId, span });
    const evidence = traceEvidenceFor(spans, ulid, spanNameResolver(context));
    const loneWriteId = spans.length === 1 ? writeId : null;
    return {
      evidence,
      propagate: async (isNew) => {
        const update = { tenant, traceId, span, context, evidence, isNew, loneWriteId };
        if (!(await isAlone(update))) await propagateAll(keyOf(update), update);
      },
    };
  };
};
export type CorrelateSpan = ReturnType<typeof traceCorrelator>;
