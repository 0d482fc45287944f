import pMap from 'p-map';
import type { Evidence } from '../../../ledger/records/trace/evidence.ts';
import { partitionOf, type RecordRef, recordKey } from '../../../ledger/records/trace/traceRow.store.ts';
import type { Span } from '../../../ledger/records/trace/traceSpan.ts';
import type { MarkDirty } from '../../../ledger/rollups/marks/markDirty.ts';
import { singleFlightBatch } from '../../../platform/shared/caches/singleFlightBatch.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import { combineObservations, type ObservedSpan, otherCallersOf } from '../observedSpan.ts';
import { reattribute } from '../reprocessing/reattribute.ts';
import type { Revise } from '../revise.ts';
import { touchRecord } from './informants.ts';
import { traceOpener } from './openTrace.ts';
import { othersAbove } from './othersAbove.ts';
import { areStoredTogether } from './packedTrace.ts';
import { agree, evidenceOf, informs, type ResolveNames, resolveEndUser } from './trace.ts';
import { type ReadEvidence, traceEvidenceReader } from './traceEvidence.ts';
import type { TraceScope, TraceStores } from './traceScope.ts';

/** Records of one trace revised in parallel. */
const CONCURRENCY = 8;

/** A span with what its record says after it was compared with its neighbours. */
export interface SettledSpan extends ReadEvidence {
  readonly span: ObservedSpan;
  /** What the span says itself. */
  readonly own: Evidence;
}

/** Usage is reported upwards, evidence is passed downwards. */
interface Directions {
  readonly isUp: boolean;
  readonly isDown: boolean;
}
interface Visit extends Directions {
  readonly span: Span;
}
interface End extends Directions {
  readonly settled: SettledSpan;
  readonly isChanged: boolean;
}

/** A span that was settled. `isDown`: it may have called others. */
interface Start {
  readonly settled: SettledSpan;
  readonly isDown: boolean;
}

interface Outcome {
  readonly isChanged: boolean;
  /** Null when the record is not written yet, or is not of this trace. */
  readonly settled: SettledSpan | null;
}

interface Following {
  readonly limit: number;
  readonly isRetry: boolean;
  /** Those that were stored together with this span have read what it shows. */
  readonly storedWith?: Span | undefined;
}

export interface TraceFollower {
  /** Compares a record with its neighbours, and revises it when its evidence differs. */
  readonly settle: (scope: TraceScope, ref: RecordRef) => Promise<Outcome>;
  /** Adds a span to the agreement of its trace. Returns whether the agreement changed. */
  readonly join: (scope: TraceScope, settled: SettledSpan) => Promise<boolean>;
  /**
   * Settles the neighbours of spans, and the neighbours of those that change, and so on, at most `limit` records. With
   * `isRetry` also those behind records that do not change: an earlier attempt may have stopped there. Returns false
   * when records are left.
   */
  readonly follow: (scope: TraceScope, starts: readonly Start[], options: Following) => Promise<boolean>;
}

/**
 * Keeps the records of a trace consistent with their neighbours. Each change passes along the edges between spans, and
 * evidence and repeated usage pass each edge once. So a trace of n spans costs O(n), in any order of arrival.
 *
 * A span is stored before its record is written, and its neighbours are read after that. A record is written before its
 * neighbours are looked up. So of two concurrent spans, one finds the other.
 */
export const traceFollower = (
  stores: TraceStores & {
    readonly revise: Revise;
    readonly mark: MarkDirty;
  },
): TraceFollower => {
  const { traces, agreements, revise, mark, clock } = stores;
  const readEvidence = traceEvidenceReader(stores);
  const open = traceOpener(stores);

  interface Settling {
    readonly scope: TraceScope;
    readonly ref: RecordRef;
  }
  /** Many spans of one batch have the same neighbour. It is read once for all of them. */
  const settleShared = singleFlightBatch<Settling, Outcome>(async ([{ scope, ref }]) => {
    const { tenant, trace, context } = scope;
    let settled: SettledSpan | null = null;
    const attempt = () =>
      revise(tenant, ref.record, { claim: `trace ${ref.record}`, attempt: 1 }, async (current, startsAt) => {
        settled = null;
        // Another observer of the call knows a trace that says more.
        if (current.record.trace_id !== trace.traceId) return null;
        const viewed = await open(scope);
        const span = combineObservations(await viewed.view.ofRecord(ref));
        if (span === null) return null;
        const own = evidenceOf(current);
        const read = await readEvidence(viewed, span, { evidence: own, current: current.storedEvent.trace });
        settled = { ...read, span, own };
        return reattribute(
          current,
          tenant,
          context.factors,
          { ...context, trace: read.evidence },
          startsAt(),
        );
      });
    let outcome = await attempt();
    if (outcome === 'missing') {
      // Whoever writes the record learns that it must read its neighbours again.
      await touchRecord(traces, (await open(scope)).view, trace, ref);
      outcome = await attempt();
    }
    return { isChanged: outcome === 'revised', settled };
  });
  const settle: TraceFollower['settle'] = (scope, ref) =>
    settleShared(`${partitionOf(scope.trace)} ${recordKey(ref)}`, { scope, ref });

  const joinAbout = async (
    { trace }: TraceScope,
    { span: { record, connector }, own: evidence, agreed }: SettledSpan,
    { subject, resolve }: { readonly subject: 'names' | 'end_user'; readonly resolve: ResolveNames },
  ): Promise<boolean> => {
    const witness = { record, evidence };
    if (resolve(witness) === null) return false;
    const of = { connector, subject };
    for (let expected = agreed[subject]; ; expected = await agreements.read(trace, of)) {
      const next = agree(expected, witness, resolve);
      if (next === null) return false;
      if (await agreements.write(trace, of, { expected, next, at: clock() })) return true;
    }
  };
  const join: TraceFollower['join'] = async (scope, settled) => {
    // In a small trace, it follows from what the spans say.
    if (settled.view.packed !== null) return false;
    const changes = await Promise.all([
      joinAbout(scope, settled, { subject: 'names', resolve: scope.resolveNames }),
      joinAbout(scope, settled, { subject: 'end_user', resolve: resolveEndUser }),
    ]);
    return changes.includes(true);
  };

  /** The spans next to a span that it may inform, with the direction in which they lie. Null beyond `limit`. */
  const neighboursOf = async (
    { trace }: TraceScope,
    { view, span, evidence, caller, callerReporters, isCallerTold }: SettledSpan,
    { isUp, isDown, limit, isRetry, storedWith }: Directions & Following,
  ): Promise<Visit[] | null> => {
    const callers = isUp && (span.reportsUsage || evidence.repeatsUsage) ? otherCallersOf(span) : [];
    if (!span.reportsUsage && view.packed === null) {
      for (const caller of callers) await traces.reportUsageBelow(trace, span, caller, clock());
    }
    const [above, below] = await Promise.all([
      callerReporters.next === null
        ? [callerReporters].slice(0, callers.length)
        : Promise.all(callers.map((one) => view.withId(one, limit + 1))),
      Promise.all(isDown ? span.spanIds.map((id) => view.calledBy(id, limit + 1)) : []),
    ]);
    if ([...above, ...below].some(({ next }) => next !== null)) return null;
    const visits = [
      ...above.flatMap(({ spans }) => spans.map((one) => ({ span: one, isUp: true, isDown: false }))),
      ...below.flatMap(({ spans }) => spans.map((one) => ({ span: one, isUp: false, isDown: true }))),
    ];
    // An earlier attempt may have told the caller and stopped before those above it.
    const told = isCallerTold && !isRetry ? caller?.record : undefined;
    return visits.filter(
      (visit) =>
        visit.span.record !== span.record &&
        (visit.span.record !== told || visit.isDown) &&
        (storedWith === undefined || !areStoredTogether(storedWith, visit.span)) &&
        informs(span, visit.span),
    );
  };

  const follow: TraceFollower['follow'] = async (scope, starts, { limit, isRetry, storedWith }) => {
    const seen = new Set(starts.map(({ settled }) => settled.span.record));
    let left = limit;
    let ends: End[] = starts.map((start) => ({ ...start, isChanged: true, isUp: true }));
    const others = await Promise.all(starts.map(({ settled }) => othersAbove(settled)));
    const pending = new Map<string, Visit>();
    const visit = (next: Visit): void => {
      const known = pending.get(next.span.record);
      const isUp = next.isUp || known?.isUp === true;
      pending.set(next.span.record, { span: next.span, isUp, isDown: next.isDown || known?.isDown === true });
    };
    for (const span of others.flatMap(({ found }) => found)) visit({ span, isUp: true, isDown: false });
    while (ends.length > 0 || pending.size > 0) {
      for (const { settled, isChanged, isUp, isDown } of ends) {
        const directions = { isUp, isDown, limit: left, isRetry, storedWith };
        const neighbours = await neighboursOf(scope, settled, directions);
        if (neighbours === null) return false;
        for (const next of neighbours) if (isChanged || !seen.has(next.span.record)) visit(next);
      }
      if (pending.size > left) return false;
      left -= pending.size;
      const visits = [...pending.values()];
      pending.clear();
      const outcomes = await pMap(
        visits,
        async ({ span, ...directions }) => ({ ...(await settle(scope, span)), ...directions, span }),
        { concurrency: CONCURRENCY },
      );
      for (const { span } of visits) seen.add(span.record);
      // An earlier attempt may have changed any of them and not marked it.
      const marked = outcomes.filter(({ isChanged }) => isRetry || isChanged);
      await mark(
        scope.tenant.tenant_id,
        marked.map(({ span }) => timeOfUlid(span.record)),
      );
      ends = outcomes.flatMap(({ settled, isChanged, isUp, isDown }) => {
        if (settled === null || !(isChanged || isRetry)) return [];
        // A span that names an owner and an end user itself passes on the same as before.
        const witness = { record: settled.span.record, evidence: settled.own };
        const isOpen = [scope.resolveNames, resolveEndUser].some((resolve) => resolve(witness) === null);
        return [{ settled, isChanged, isUp, isDown: isDown && isOpen }];
      });
    }
    return others.every(({ isCut }) => !isCut);
  };

  return { settle, join, follow };
};
