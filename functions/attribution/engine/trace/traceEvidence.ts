import type { Attribution } from '../../../ledger/records/attribution.ts';
import { recordPartitionOf } from '../../../ledger/records/ledgerKey.ts';
import type { RecordVersionStore } from '../../../ledger/records/recordVersion.store.ts';
import type { Evidence } from '../../../ledger/records/trace/evidence.ts';
import type { CalledPage, SpanPage, TraceStore } from '../../../ledger/records/trace/trace.store.ts';
import type { Agreement, TraceAgreementStore } from '../../../ledger/records/trace/traceAgreement.store.ts';
import {
  type AgreementSubject,
  partitionOf,
  type RecordRef,
} from '../../../ledger/records/trace/traceRow.store.ts';
import type { Span, TraceEvidence, TraceLane } from '../../../ledger/records/trace/traceSpan.ts';
import { type NonEmptyBatch, singleFlightBatch } from '../../../platform/shared/singleFlightBatch.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { TenantAttributionContext } from '../attribute.ts';
import { type ObservedSpan, otherCallersOf } from '../observedSpan.ts';
import { agreedEndUser, agreedSource, passedOn, type ResolveNames } from './trace.ts';
import { usageBelowReader } from './usageBelow.ts';

/** One trace of a tenant in one lane, as a worker reads it. */
export interface TraceScope {
  readonly tenant: Tenant;
  readonly trace: TraceLane;
  readonly context: TenantAttributionContext;
  readonly resolveNames: ResolveNames;
}

export interface TraceStores {
  readonly traces: TraceStore;
  readonly agreements: TraceAgreementStore;
  readonly records: Pick<RecordVersionStore, 'find'>;
}

/** A span that called another one. */
interface Caller {
  readonly span: Span;
  /** Null when its record is not written yet, or another observer of that call knows a trace that says more. */
  readonly attribution: Attribution | null;
  /** It is not written yet. */
  readonly isMissing: boolean;
  /** The records that report the caller. */
  readonly reporters: SpanPage;
}

export interface ReadEvidence {
  readonly evidence: TraceEvidence;
  /** The span that called this one. */
  readonly caller: Span | null;
  /** Whether the record of the caller says already what this span shows: that the usage of the caller is repeated below it. */
  readonly isCallerTold: boolean;
  /** The records that report the caller, as far as one page holds them. */
  readonly callerReporters: SpanPage;
  /** The caller has a row and no record yet. */
  readonly isCallerMissing: boolean;
  /** Whether the span called others. */
  readonly hasCalled: boolean;
  /** What the party of the span agrees about. */
  readonly agreed: Readonly<Record<'names' | 'end_user', Agreement | null>>;
  /**
   * Whether spans of several credentials are connected in the trace. `unnoted`: the trace does not say so yet. Only then can
   * usage of another credential lie above or below a span.
   */
  readonly severalCredentials: 'no' | 'noted' | 'unnoted';
}

/** The parties whose spans may inform one of this party, the tenant first. */
const informantsOf = ({ connector }: Pick<Span, 'connector'>): readonly (string | undefined)[] =>
  connector === undefined ? [undefined] : [undefined, connector];

/** Rows that are read of who reports, or was called by, a span. Most spans have fewer. */
const ROWS_READ = 20;
const NOBODY: SpanPage = { spans: [], next: null };

/** The first record that reports a span and may inform another one, and all that report it. */
const reportersOf = async (
  { traces }: Pick<TraceStores, 'traces'>,
  { trace }: Pick<TraceScope, 'trace'>,
  spanId: string,
  span: Pick<Span, 'connector'>,
): Promise<{ readonly informant: Span | null; readonly reporters: SpanPage }> => {
  const reporters = await traces.withId(trace, spanId, ROWS_READ);
  for (const connector of informantsOf(span)) {
    const read = reporters.spans.find((one) => one.connector === connector);
    const informant = read ?? (reporters.next === null ? null : await traces.first(trace, spanId, connector));
    if (informant !== null) return { informant, reporters };
  }
  return { informant: null, reporters };
};

/** The first record that reports a span and may inform another one. */
export const firstInformant = async (...request: Parameters<typeof reportersOf>): Promise<Span | null> =>
  (await reportersOf(...request)).informant;

/** Has whoever writes a record read its neighbours again. */
export const touchRecord = async (
  { traces }: Pick<TraceStores, 'traces'>,
  trace: TraceLane,
  ref: RecordRef,
): Promise<void> => {
  for (const row of await traces.ofRecord(trace, ref)) await traces.touch(trace, row);
};

const credentialsIn = (
  span: ObservedSpan,
  caller: Caller | null,
  called: readonly CalledPage[],
): ReadonlySet<string | undefined> =>
  new Set([
    ...span.credentials,
    ...(caller === null ? [] : [caller.span.credential]),
    ...called.flatMap(({ spans }) => spans.map(({ credential }) => credential)),
  ]);

/**
 * Returns a reader of the evidence about a span. It reads the record of the span that called it, which holds what that one
 * inherited, and whether a span below it reports usage. So it costs the same in a trace of any size, depth and order.
 */
export const traceEvidenceReader = (stores: TraceStores) => {
  const { traces, agreements, records } = stores;
  const repetitionOf = usageBelowReader(stores);

  interface CallerQuery {
    readonly scope: TraceScope;
    readonly spanId: string;
    readonly connector: string | undefined;
  }
  /** Many spans of one batch have the same caller. Its record is read once for all of them. */
  const readCaller = singleFlightBatch(
    async ([{ scope, spanId, connector }]: NonEmptyBatch<CallerQuery>): Promise<Caller | null> => {
      const { tenant, trace } = scope;
      const { informant: caller, reporters } = await reportersOf(stores, scope, spanId, { connector });
      if (caller === null) return null;
      const key = { partition: recordPartitionOf(tenant, caller.record), ulid: caller.record };
      const attribution = (await records.find(tenant.tenant_id, key))?.newest.attribution ?? null;
      const isOfTrace = attribution?.record.trace_id === trace.traceId;
      return {
        span: caller,
        attribution: isOfTrace ? attribution : null,
        isMissing: attribution === null,
        reporters,
      };
    },
  );

  /** The nearest span that called this one and has a record, or is about to have one. */
  const callerOf = async (scope: TraceScope, span: ObservedSpan): Promise<Caller | null> => {
    const { connector, lane } = span;
    for (const spanId of otherCallersOf(span)) {
      const key = JSON.stringify([partitionOf(scope.trace), lane, connector, spanId]);
      const caller = await readCaller(key, { scope, spanId, connector });
      if (caller !== null && caller.span.record !== span.record) return caller;
    }
    return null;
  };

  const agreementsOf = (trace: TraceLane, span: ObservedSpan, subject: AgreementSubject) =>
    Promise.all(informantsOf(span).map((connector) => agreements.read(trace, { connector, subject })));

  /** `current`: what the record of the span holds. */
  return async (
    scope: TraceScope,
    span: ObservedSpan,
    own: { readonly evidence: Evidence; readonly current?: TraceEvidence | undefined },
  ): Promise<ReadEvidence> => {
    const { trace, resolveNames } = scope;
    const readBelow = async () => {
      const called = await Promise.all(span.spanIds.map((id) => traces.calledBy(trace, id, ROWS_READ)));
      return { called, repetition: await repetitionOf(trace, span, informantsOf(span), called) };
    };
    const [caller, { called, repetition }, names, endUsers, credentials] = await Promise.all([
      callerOf(scope, span),
      readBelow(),
      agreementsOf(trace, span, 'names'),
      agreementsOf(trace, span, 'end_user'),
      agreements.read(trace, { connector: undefined, subject: 'credential' }),
    ]);
    // Beyond the page, they may be of others.
    const areSeveral =
      called.some(({ next }) => next !== null) || credentialsIn(span, caller, called).size > 1;
    const { attribution = null } = caller ?? {};
    const ancestor =
      caller === null || attribution === null
        ? null
        : passedOn(caller.span.record, attribution, resolveNames);
    const isNamed = resolveNames({ record: span.record, evidence: own.evidence }) !== null;
    const source = ancestor ?? (isNamed ? null : agreedSource(names, own.current, resolveNames));
    const { end_user: stated, trace: above } = attribution?.storedEvent ?? {};
    const inherited = stated ?? above?.end_user ?? agreedEndUser(endUsers, own.current);
    const endUser = own.evidence.end_user === undefined ? inherited : undefined;
    return {
      evidence: {
        source,
        ...(endUser !== undefined && { end_user: endUser }),
        repeatsUsage: repetition === 'yes',
        ...(repetition === 'unknown' && { mayRepeatUsage: true }),
      },
      caller: caller?.span ?? null,
      callerReporters: caller?.reporters ?? NOBODY,
      isCallerMissing: caller?.isMissing === true,
      hasCalled: called.some(({ spans }) => spans.some(({ record }) => record !== span.record)),
      agreed: { names: names.at(-1) ?? null, end_user: endUsers.at(-1) ?? null },
      severalCredentials: credentials !== null ? 'noted' : areSeveral ? 'unnoted' : 'no',
      // Usage that the credential of the caller reports below it is repeated, whatever else is below it.
      isCallerTold:
        above?.repeatsUsage === true &&
        span.reportsUsage &&
        span.credentials.includes(attribution?.storedEvent.stated_by?.id),
    };
  };
};
