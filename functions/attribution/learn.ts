import pMap from 'p-map';
import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import type { Factors } from '../impact/factors.ts';
import type { TraceStore } from '../ledger/trace.store.ts';
import type { Span, TraceEvidence } from '../ledger/traceSpan.ts';
import type { Mark } from '../rollups/mark.ts';
import { coalesced, type Together } from '../shared/coalesced.ts';
import { timeOfUlid } from '../shared/ulid.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { AttributionContext } from './attribute.ts';
import { reattributed } from './reattribute.ts';
import type { Revise } from './revise.ts';
import { resolve } from './rules/resolution.ts';
import { correlate, isDivided, type Naming, spanOf } from './trace.ts';

/** What a tenant's events are judged by at a time. */
export interface Judging extends Required<Omit<AttributionContext, 'trace'>> {
  readonly factors: Factors;
}

/** Records of one trace revised at once. */
const CONCURRENCY = 8;

/** Weak evidence is not handed on: the name of a key is the weakest there is, and a span has its own. */
const namingBy = ({ mappings }: Pick<Judging, 'mappings'>): Naming => {
  const known = new Map<string, ReturnType<Naming>>();
  const nameOf: Naming = ({ record, evidence }) => {
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

const ALONE: TraceEvidence = { teacher: null, repeats: false };

const contextIn = (spans: readonly Span[], record: string, naming: Naming): TraceEvidence =>
  correlate(spans, naming).get(record) ?? ALONE;

const isSame = (one: TraceEvidence | undefined, other: TraceEvidence | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Records that may not say yet what their trace tells. What spans have taught is known to all the others; those that
 * have not taught yet may each rely on the other to, or have crashed, so whatever follows from any of them counts.
 */
export const untold = (spans: readonly Span[], naming: Naming): string[] => {
  const settled = spans.filter(({ taught }) => taught);
  const [before, now] = [correlate(settled, naming), correlate(spans, naming)];
  const isNewlyDivided = isDivided(spans, naming) && !isDivided(settled, naming);
  const mayKnowLess = (span: Span): boolean => {
    const known = span.taught ? before : correlate([...settled, span], naming);
    if (!isSame(known.get(span.record), now.get(span.record))) return true;
    // Before the trace was divided it may have learnt from a span that did not settle.
    return isNewlyDivided && now.get(span.record)?.teacher === null;
  };
  return spans.filter(mayKnowLess).map(({ record }) => record);
};

/** One event's part in its trace. */
export interface Lesson {
  /** What it learns from the spans that came before. */
  readonly learnt: TraceEvidence;
  /**
   * Called once its record is there, `isNew` where it was not before: what the trace tells by now is written into
   * every record that may not say so yet, as a new version.
   */
  readonly teach: (isNew: boolean) => Promise<void>;
}

/** A span whose record is there, to be put together with its trace. */
interface Pupil {
  readonly tenant: Tenant;
  readonly traceId: string;
  readonly span: Span;
  readonly judging: Judging;
  readonly learnt: TraceEvidence;
  readonly isNew: boolean;
}

/**
 * Lets the spans of a trace learn from each other, whichever comes first and whatever crashes. Every span is made known
 * before its record is written, and looks at the others again behind that: so of two at the same moment either the one
 * finds the other's record and revises it, or the other, whose record comes later, sees the one by itself. It counts as
 * having taught only when all of that is done. Spans of one trace that are here at once share their reads and revisions.
 */
export const lessons = (stores: {
  readonly traces: TraceStore;
  readonly revise: Revise;
  readonly mark: Mark;
  readonly clock: () => number;
}) => {
  const { traces, revise, mark, clock } = stores;

  const keyOf = ({ tenant_id }: Tenant, traceId: string): string => `${tenant_id}#${traceId}`;
  const read = coalesced(([{ tenant, traceId }]: Together<Pick<Pupil, 'tenant' | 'traceId'>>) =>
    traces.spans(tenant.tenant_id, traceId),
  );
  const spansOf = (tenant: Tenant, traceId: string): Promise<Span[]> =>
    read(keyOf(tenant, traceId), { tenant, traceId });

  const teach = coalesced(async (present: Together<Pupil>): Promise<void> => {
    const [{ tenant, traceId, judging, span: first }] = present;
    const { tenant_id: tenantId } = tenant;
    const naming = namingBy(judging);
    const spans = await spansOf(tenant, traceId);
    const isTold = ({ span, learnt, isNew }: Pupil): boolean =>
      isNew && isSame(learnt, contextIn(spans, span.record, naming));
    const told = new Set(present.filter(isTold).map(({ span }) => span.record));
    const pupils = new Set([...present.map(({ span }) => span.record), ...untold(spans, naming)]);
    const untaught = [...pupils].filter((record) => !told.has(record));
    const reviseOne = (record: string) =>
      revise(tenant, record, { claim: `trace ${first.record}`, attempt: 1 }, async (current, at) => {
        // Read again each time: a version that somebody else wrote meanwhile may know of more spans.
        const trace = contextIn(await spansOf(tenant, traceId), record, naming);
        return reattributed(current, tenant, judging.factors, { ...judging, trace }, at);
      });
    await pMap(untaught, reviseOne, { concurrency: CONCURRENCY });
    await mark(tenantId, untaught.map(timeOfUlid));
    // Most traces have one span: whoever joins it later teaches it, and looks at it once more for want of the mark.
    if (spans.length === 1) return;
    await pMap(present, ({ span }) => traces.put(tenantId, traceId, { ...span, taught: true }, clock()), {
      concurrency: CONCURRENCY,
    });
  });

  return async (
    event: InvocationEvent,
    ulid: string,
    tenant: Tenant,
    judging: Judging,
  ): Promise<Lesson | null> => {
    const { trace_id: traceId } = event;
    if (traceId === undefined) return null;
    const span = spanOf(event, ulid);
    await traces.put(tenant.tenant_id, traceId, span, clock());
    const learnt = contextIn(await spansOf(tenant, traceId), ulid, namingBy(judging));
    return {
      learnt,
      teach: (isNew) => teach(keyOf(tenant, traceId), { tenant, traceId, span, judging, learnt, isNew }),
    };
  };
};
export type Lessons = ReturnType<typeof lessons>;
