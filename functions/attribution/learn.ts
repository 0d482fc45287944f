import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import type { InvocationEvent } from '../../schemas/invocationEvent.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import type { AttributionContext } from './attribute.ts';
import type { Factors } from './impact/factors.ts';
import { reattributed } from './reattribute.ts';
import { resolve } from './resolution.ts';
import type { Revise } from './revise.ts';
import type { TraceStore } from './trace.store.ts';
import { correlate, type Naming, type Span, spanOf, type TraceEvidence } from './trace.ts';

/** What a tenant's events are judged by at a time. */
export interface Judging extends Required<Omit<AttributionContext, 'trace'>> {
  readonly factors: Factors;
}

/** A span's record is written right after it was made known: how long others wait for it, in milliseconds. */
const PATIENCE = 1_000;
const PAUSE = 40;
/** Records of one trace revised at once. */
const CONCURRENCY = 8;

/** Weak evidence is not handed on: the name of a key is the weakest there is, and a span has its own. */
const namingBy =
  ({ mappings }: Judging, occurredAt: number): Naming =>
  (evidence) => {
    const { owner, service, basis, isWeak } = resolve(evidence, { mappings, occurredAt, trace: null });
    return basis === 'none' || isWeak ? null : { owner, service };
  };

const ALONE: TraceEvidence = { teacher: null, repeats: false };

const contextIn = (spans: readonly Span[], record: string, naming: Naming): TraceEvidence =>
  correlate(spans, naming).get(record) ?? ALONE;

/** Spans that know more, or otherwise, since one more is known. */
const taughtBy = (own: string, spans: readonly Span[], naming: Naming): string[] => {
  const without = correlate(
    spans.filter(({ record }) => record !== own),
    naming,
  );
  return [...correlate(spans, naming)]
    .filter(
      ([record, learnt]) => record !== own && JSON.stringify(without.get(record)) !== JSON.stringify(learnt),
    )
    .map(([record]) => record);
};

/** One event's part in its trace. */
export interface Lesson {
  /** What it learns from the spans that came before. */
  readonly learnt: TraceEvidence;
  /** Called once its record is there: those that came before learn from it, as new versions of their records. */
  readonly teach: () => Promise<void>;
}

/**
 * Lets the spans of a trace learn from each other, whichever comes first. Every span is made known before it looks for
 * the others, so of two at the same moment one at least sees the other; and whoever took long between looking and
 * writing looks again, since those who came meanwhile may have given up waiting for its record.
 */
export const lessons = (stores: {
  readonly traces: TraceStore;
  readonly revise: Revise;
  readonly clock: () => number;
}) => {
  const { traces, revise, clock } = stores;

  return async (
    event: InvocationEvent,
    ulid: string,
    occurredAt: number,
    tenant: Tenant,
    judging: Judging,
  ): Promise<Lesson | null> => {
    const { trace_id: traceId } = event;
    if (traceId === undefined) return null;
    const { tenant_id: tenantId } = tenant;
    const naming = namingBy(judging, occurredAt);
    await traces.put(tenantId, traceId, spanOf(event, ulid), clock());
    const looked = clock();
    const spans = await traces.spans(tenantId, traceId);

    const reviseOne = (record: string) =>
      revise(tenant, record, { claim: `trace ${ulid}`, attempt: 1 }, async (current, at) => {
        // Read again each time: a version that somebody else wrote meanwhile may know of more spans.
        const trace = contextIn(await traces.spans(tenantId, traceId), record, naming);
        return reattributed(current, tenant, judging.factors, { ...judging, trace }, at);
      });

    const reviseWhenThere = async (record: string): Promise<void> => {
      const until = clock() + PATIENCE;
      while ((await reviseOne(record)) === 'missing' && clock() < until) await sleep(PAUSE);
    };

    return {
      learnt: contextIn(spans, ulid, naming),
      teach: async () => {
        await pMap(taughtBy(ulid, spans, naming), reviseWhenThere, { concurrency: CONCURRENCY });
        if (clock() - looked > PATIENCE / 2) await reviseOne(ulid);
      },
    };
  };
};
export type Lessons = ReturnType<typeof lessons>;
