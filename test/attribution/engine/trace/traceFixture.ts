import fc from 'fast-check';
import {
  attribute,
  type TenantAttributionContext,
} from '../../../../functions/attribution/engine/attribute.ts';
import type { Arrival } from '../../../../functions/attribution/engine/incomingCall.ts';
import { noInference } from '../../../../functions/attribution/engine/inference.ts';
import { eventRecorder } from '../../../../functions/attribution/engine/recordEvent.ts';
import { reviser } from '../../../../functions/attribution/engine/revise.ts';
import { sameCallFinder } from '../../../../functions/attribution/engine/sameCall/sameCallFinder.ts';
import { nameResolver } from '../../../../functions/attribution/engine/trace/trace.ts';
import { traceCorrelator } from '../../../../functions/attribution/engine/trace/traceCorrelation.ts';
import { tracePassRunner } from '../../../../functions/attribution/engine/trace/tracePass.ts';
import {
  type CompiledMappings,
  noMappings,
} from '../../../../functions/attribution/mappings/mappingRules.ts';
import { loadFactors } from '../../../../functions/impact/factors.ts';
import { occurredAtOf } from '../../../../functions/ingest/events/eventTimes.ts';
import type { Attribution } from '../../../../functions/ledger/records/attribution.ts';
import { ledgerReader, type Version } from '../../../../functions/ledger/records/ledger.store.ts';
import { partitionsOfMonth } from '../../../../functions/ledger/records/ledgerKey.ts';
import { keyAfter } from '../../../../functions/ledger/records/query/versionAsOf.ts';
import { recordVersionStore } from '../../../../functions/ledger/records/recordVersion.store.ts';
import { observedUseStore } from '../../../../functions/ledger/records/sameCall/observedUse.store.ts';
import { traceStore } from '../../../../functions/ledger/records/trace/trace.store.ts';
import { traceAgreementStore } from '../../../../functions/ledger/records/trace/traceAgreement.store.ts';
import type { TraceEvidence, TraceLane } from '../../../../functions/ledger/records/trace/traceSpan.ts';
import { recordUlid } from '../../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { Crash, claims, ledger } from '../../../ledger/records/crashFixture.ts';
import { eventIdOf } from '../../../ledger/records/ledgerFixture.ts';
import { oneShard } from '../../../ledger/records/shards/shardBitsInTurn.ts';
import { aKey, anEvent } from '../events.ts';
import { neverRaised } from '../neverRaised.ts';
import { wholeTrace } from './wholeTrace.ts';

export const MARCH = Date.parse('2026-03-15T12:00:00Z');
const RECEIVED = MARCH + 60_000;
const SECOND = 1_000;

let now = RECEIVED;
/** Never the same twice. */
export const clock = (): number => {
  now += 1;
  return now;
};

export const passTime = (milliseconds: number): void => {
  now += milliseconds;
};

export const corrections = recordVersionStore('ledger', clock);
export const revise = reviser(corrections, clock, neverRaised);

/** The event of a trace's span with this number: later ones were called later. */
export const aSpanEvent = (index: number, members: Record<string, unknown> = {}): InvocationEvent =>
  anEvent({
    event_id: eventIdOf(index),
    trace_id: 'a trace',
    span_id: `span-${index}`,
    occurred_at: new Date(MARCH + index * SECOND).toISOString(),
    ...members,
  });

export const attributionContextWith = async (
  mappings: CompiledMappings = noMappings,
): Promise<TenantAttributionContext> => ({
  factors: await loadFactors(),
  mappings,
  infer: noInference,
});

/** Wraps each write of a process. `write` is the name of the write. */
export type WriteInterceptor = <Result>(write: string, run: () => Promise<Result>) => Promise<Result>;

/** Crashes before or after one write, counted from 1. `count` returns the number of writes. */
export const crashAt = (writeNumber: number, moment: 'before' | 'after') => {
  let count = 0;
  const around: WriteInterceptor = async (_write, run) => {
    count += 1;
    const isTarget = count === writeNumber;
    if (isTarget && moment === 'before') throw new Crash();
    const result = await run();
    if (isTarget) throw new Crash();
    return result;
  };
  return { around, count: () => count };
};

/** The passes that recorders have requested. */
export const requestedPasses: TraceLane[] = [];

/** These tests have no rollups. */
const mark = async (): Promise<void> => undefined;

/** Names of counters that joins of records have increased, by tenant. */
export const joins = new Map<string, string[]>();
const countJoin = (tenantId: string, name: string): void => {
  joins.set(tenantId, [...(joins.get(tenantId) ?? []), name]);
};
const observedUses = observedUseStore('traces');
const reader = ledgerReader('ledger', () => MARCH);

/** A recorder with the real stores of one process, and an interceptor around each of its writes. */
export const startTraceRecorder = (
  intercept: WriteInterceptor = (_, run) => run(),
  mappings?: CompiledMappings,
  followedMaximum?: number,
  packedMaximum?: { readonly spans: number; readonly packs: number },
) => {
  const intercepted =
    <Arguments extends unknown[], Result>(write: string, run: (...args: Arguments) => Promise<Result>) =>
    (...args: Arguments): Promise<Result> =>
      intercept(write, () => run(...args));
  const traces = traceStore('traces', packedMaximum);
  const agreements = traceAgreementStore('traces');
  const record = eventRecorder({
    isArchived: () => Promise.resolve(false),
    auditRejection: async () => undefined,
    isRaised: neverRaised,
    claims: {
      ...claims,
      claim: intercepted('claim', claims.claim),
      observe: intercepted('observe', claims.observe),
    },
    revise: intercepted('merge', revise),
    ledger: {
      openMonth: intercepted('openMonth', ledger.openMonth),
      add: intercepted('add', ledger.add),
    },
    shardBits: oneShard,
    mark: intercepted('mark', mark),
    ...traceCorrelator({
      traces: {
        ...traces,
        put: intercepted('span', traces.put),
        touch: intercepted('touch', traces.touch),
        reportUsageBelow: intercepted('usage', traces.reportUsageBelow),
        detach: intercepted('detach', traces.detach),
        index: intercepted('index', traces.index),
        noteIndexed: intercepted('indexed', traces.noteIndexed),
      },
      agreements: { ...agreements, write: intercepted('agreement', agreements.write) },
      records: corrections,
      requestPass: intercepted('pass', async (trace) => {
        requestedPasses.push(trace);
      }),
      revise: intercepted('revise', revise),
      ...(followedMaximum !== undefined && { followedMaximum }),
      mark,
      clock,
    }),
    sameCall: sameCallFinder({
      observed: observedUses,
      corrections,
      ledger: reader,
      revise: intercepted('join', revise),
      mark,
      count: countJoin,
      clock,
    }),
    attributionContext: () => attributionContextWith(mappings),
  });
  return (event: InvocationEvent, tenant: Tenant, arrival: Partial<Arrival> = {}) =>
    record(event, { receivedAt: RECEIVED, residency: null, statedBy: aKey, ...arrival }, tenant);
};

/** All versions of a tenant's records of March in one shard, by event, in ascending order. */
export const versionsOf = async (tenant: Tenant): Promise<Map<string, Version[]>> => {
  const [partition = ''] = partitionsOfMonth(tenant, { month: '2026-03', shards: 1 });
  const range = { partition, to: '~', descending: false, limit: 1_000 };
  const versions: Version[] = [];
  for (let from: string | null = '0'; from !== null; ) {
    const page = await reader.read(tenant.tenant_id, { ...range, from });
    versions.push(...page.versions);
    from = page.last === null ? null : keyAfter(page.last, false);
  }
  return Map.groupBy(versions, ({ attribution }) => attribution.record.event_id);
};

/**
 * Trace evidence without what no record shows: of several spans that name the same with equal confidence, the first to arrive
 * gives the evidence.
 */
export const shownEvidence = (trace: TraceEvidence | undefined) =>
  trace?.source?.relation === 'trace' ? { ...trace, source: { ...trace.source, evidence: null } } : trace;

/** The members of a record that do not depend on arrival order. */
const outcomeOf = ({ record, storedEvent }: Attribution) => {
  const { event_id, owner, service, output_state, coper, cost_usd, interpretation } = record;
  const { evidence_basis: basis } = interpretation;
  return {
    event_id,
    owner,
    service,
    output_state,
    coper,
    cost_usd,
    basis,
    trace: shownEvidence(storedEvent.trace),
  };
};

export const outcomesOf = async (tenant: Tenant) =>
  [...(await versionsOf(tenant)).values()]
    .flatMap((versions) => versions.at(-1) ?? [])
    .map(({ attribution }) => outcomeOf(attribution));

/** The expected outcomes: every event attributed once with the whole trace. */
export const expectedOf = async (
  events: readonly InvocationEvent[],
  tenant: Tenant,
  mappings: CompiledMappings = noMappings,
) => {
  const tenantContext = await attributionContextWith(mappings);
  const ulidOf = (event: InvocationEvent) =>
    recordUlid(tenant.tenant_id, event.event_id, occurredAtOf(event));
  const evidenceByRecord = wholeTrace(
    events.map((event) => ({ event, record: ulidOf(event) })),
    nameResolver(mappings),
  );
  return events
    .map((event) => ({ event, ulid: ulidOf(event) }))
    .toSorted((one, other) => (one.ulid < other.ulid ? -1 : 1))
    .map(({ event, ulid }) => {
      const arrived = { occurredAt: occurredAtOf(event), receivedAt: RECEIVED, residency: null };
      const context = { ...tenantContext, trace: evidenceByRecord.get(ulid) ?? null };
      return outcomeOf(attribute(event, arrived, tenant, tenantContext.factors, context));
    });
};

/** Takes the parents away that would close a circle. Several events may report one span. */
const withoutCircles = (events: readonly InvocationEvent[]): InvocationEvent[] => {
  const callers = new Map<string, Set<string>>();
  const leadsTo = (from: string, to: string): boolean =>
    from === to || [...(callers.get(from) ?? [])].some((caller) => leadsTo(caller, to));
  return events.map((event) => {
    const { span_id: id = '', parent_span_id: parent } = event;
    if (parent === undefined) return event;
    if (leadsTo(parent, id)) return { ...event, parent_span_id: undefined };
    callers.set(id, (callers.get(id) ?? new Set()).add(parent));
    return event;
  });
};

/**
 * Traces of up to `maxSpans` spans with any operation, evidence and usage, and no circles. Some parents are missing, some
 * come later than their children, and some spans are reported twice.
 */
export const anyTrace = (maxSpans: number): fc.Arbitrary<InvocationEvent[]> =>
  fc
    .array(
      fc.record(
        {
          parent: fc.nat({ max: maxSpans }),
          twin: fc.nat({ max: 4 }),
          operation: fc.constantFrom('chat', 'invoke_agent', 'execute_tool'),
          input_tokens: fc.constantFrom(1_000, 2_000),
          output_tokens: fc.constantFrom(200, 300),
          attributed_identity: fc.constantFrom('team-a', 'team-a', 'team-b'),
          end_user: fc.constantFrom('ann', 'ann', 'bob'),
          api_key_name: fc.constant('shared key'),
        },
        { requiredKeys: [] },
      ),
      { minLength: 2, maxLength: maxSpans },
    )
    .map((spans) =>
      withoutCircles(
        spans.map(({ parent, twin, input_tokens, output_tokens, ...members }, index) =>
          aSpanEvent(index, {
            ...members,
            ...(twin === 0 && index > 0 && { span_id: `span-${index - 1}` }),
            input_tokens,
            output_tokens,
            ...(parent !== undefined && { parent_span_id: `span-${parent}` }),
          }),
        ),
      ),
    );

/** Runs the passes that were requested since the last call. */
export const runRequestedPasses = async (tenant: Tenant): Promise<void> => {
  const runPass = tracePassRunner({
    traces: traceStore('traces'),
    agreements: traceAgreementStore('traces'),
    records: corrections,
    revise,
    mark,
    queue: { begin: async () => undefined, sendContinuation: (pass) => runPass(pass) },
    requestPass: async () => undefined,
    clock,
    // Every step is a message of its own.
    hasTime: () => false,
    tenantById: async () => tenant,
    attributionContext: () => attributionContextWith(),
  });
  // Any number of requests lead to one.
  const traces = new Map(requestedPasses.splice(0).map((pass) => [`${pass.tenantId} ${pass.traceId}`, pass]));
  for (const { tenantId, traceId } of traces.values()) {
    // Another test has requested it.
    if (tenantId !== tenant.tenant_id) continue;
    await runPass({ tenant_id: tenantId, trace_id: traceId, after: null, has_changed: false });
  }
};
