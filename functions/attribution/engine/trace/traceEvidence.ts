import { recordPartitionOf } from '../../../ledger/records/ledgerKey.ts';
import type { Evidence } from '../../../ledger/records/trace/evidence.ts';
import type { Agreement } from '../../../ledger/records/trace/traceAgreement.store.ts';
import { partitionOf } from '../../../ledger/records/trace/traceRow.store.ts';
import type { Span, TraceEvidence } from '../../../ledger/records/trace/traceSpan.ts';
import type { CalledPage, SpanPage, TraceView } from '../../../ledger/records/trace/traceView.ts';
import { type NonEmptyBatch, singleFlightBatch } from '../../../platform/shared/caches/singleFlightBatch.ts';
import { type ObservedSpan, otherCallersOf } from '../observedSpan.ts';
import { informantsOf, ROWS_READ, reportersOf } from './informants.ts';
import { type AgreementHistory, type PackedTrace, type PassedOn, packedTrace } from './packedTrace.ts';
import { agreedEndUser, agreedSource, evidenceOf, passedOn, payerOf } from './trace.ts';
import type { TraceStores, ViewedTrace } from './traceScope.ts';
import { repetitionOf } from './usageBelow.ts';

/** A span that called another one. */
interface Caller {
  readonly span: Span;
  /** What it passes on to the spans that it called. */
  readonly passedOn: PassedOn;
  /** Its record is not written yet, and nothing else says what it passes on. */
  readonly isMissing: boolean;
  /** Its record says already that its usage is repeated below it. */
  readonly isTold: boolean;
  /** The records that report the caller. */
  readonly reporters: SpanPage;
}

export interface ReadEvidence {
  readonly view: TraceView;
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
  /** Whether the span changed it, if the trace is small. */
  readonly hasChangedAgreed: boolean;
  /**
   * Whether spans of several credentials are connected in the trace. `unnoted`: the trace does not say so yet. Only then can
   * usage of another credential lie above or below a span.
   */
  readonly severalCredentials: 'no' | 'noted' | 'unnoted';
}

const NOBODY: SpanPage = { spans: [], next: null };
const NOBODY_CHANGED: ReadonlySet<string> = new Set();

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
 * Returns a reader of the evidence about a span. In a small trace, it follows from what the spans say. In others, it reads the
 * record of the span that called it, which holds what that one inherited, and whether a span below it reports usage. So it costs
 * the same in a trace of any size, depth and order.
 */
export const traceEvidenceReader = (stores: TraceStores) => {
  const { agreements, records } = stores;
  const readings = new WeakMap<TraceView, PackedTrace>();
  const packedOf = (scope: ViewedTrace): PackedTrace | null => {
    const { view } = scope;
    if (view.packed === null) return null;
    const packed = readings.get(view) ?? packedTrace(stores, scope, view.packed);
    readings.set(view, packed);
    return packed;
  };

  interface CallerQuery {
    readonly scope: ViewedTrace;
    readonly spanId: string;
    readonly connector: string | undefined;
  }
  const readCaller = async ({ scope, spanId, connector }: CallerQuery): Promise<Caller | null> => {
    const { tenant, trace, view, resolveNames } = scope;
    const { informant: span, reporters } = await reportersOf(view, spanId, { connector });
    if (span === null) return null;
    const packed = packedOf(scope);
    if (packed !== null) {
      return { span, passedOn: await packed.passedOn(span), isMissing: false, isTold: false, reporters };
    }
    const key = { partition: recordPartitionOf(tenant, span.record), ulid: span.record };
    const attribution = (await records.find(tenant.tenant_id, key))?.newest.attribution ?? null;
    // Another observer of that call may know a trace that says more.
    const known = attribution?.record.trace_id === trace.traceId ? attribution : null;
    const above = known?.storedEvent.trace;
    return {
      span: { ...span, credential: known?.storedEvent.stated_by?.id },
      passedOn: {
        source: known === null ? null : passedOn(span.record, known, resolveNames),
        end_user: (known === null ? undefined : evidenceOf(known).end_user) ?? above?.end_user,
      },
      isMissing: attribution === null,
      isTold: above?.repeatsUsage === true,
      reporters,
    };
  };
  /** Many spans of one batch have the same caller. Its record is read once for all of them. */
  const readCallerOnce = singleFlightBatch(([query]: NonEmptyBatch<CallerQuery>) => readCaller(query));

  /** The nearest span that called this one and has a record, or is about to have one. */
  const callerOf = async (scope: ViewedTrace, span: ObservedSpan): Promise<Caller | null> => {
    const { connector, lane } = span;
    for (const spanId of otherCallersOf(span)) {
      const query = { scope, spanId, connector };
      const key = JSON.stringify([partitionOf(scope.trace), lane, connector, spanId]);
      const caller = await (scope.view.packed === null ? readCallerOnce(key, query) : readCaller(query));
      if (caller !== null && caller.span.record !== span.record) return caller;
    }
    return null;
  };

  /**
   * Whether another span has told the caller already what this one shows: that its usage is repeated below it. In a small trace,
   * the first that was stored tells it.
   */
  const isTold = async ({ view }: ViewedTrace, span: ObservedSpan, caller: Caller): Promise<boolean> => {
    const { credential, connector, span_id: spanId } = caller.span;
    // Usage that the credential of the caller reports below it is repeated, whatever else is below it.
    if (!span.reportsUsage || !span.credentials.includes(credential)) return false;
    if (view.packed === null) return caller.isTold;
    const [own] = span.packs ?? [];
    if (own === undefined || spanId === null) return false;
    const { spans } = await view.usageBelow(spanId, connector, ROWS_READ);
    return spans.some((one) => one.credential === credential && (one.packs?.[0] ?? own) < own);
  };

  /** `current`: what the record of the span holds. */
  return async (
    scope: ViewedTrace,
    span: ObservedSpan,
    own: { readonly evidence: Evidence; readonly current?: TraceEvidence | undefined },
  ): Promise<ReadEvidence> => {
    const { trace, view, resolveNames } = scope;
    const packed = packedOf(scope);
    const historiesOf = (subject: 'names' | 'end_user') =>
      Promise.all(
        informantsOf(span).map(
          async (connector): Promise<AgreementHistory> =>
            packed === null
              ? { agreement: await agreements.read(trace, { connector, subject }), changedBy: NOBODY_CHANGED }
              : packed.agreementAbout(subject, connector),
        ),
      );
    const reading = callerOf(scope, span);
    const readPayer = async (): Promise<string | undefined> => {
      const evidence = span.payer === undefined ? (await reading)?.passedOn.source?.evidence : undefined;
      return evidence === undefined ? span.payer : payerOf({ record: span.record, evidence }, resolveNames);
    };
    const readBelow = async () => {
      const called = await Promise.all(span.spanIds.map((id) => view.calledBy(id, ROWS_READ)));
      return { called, repetition: await repetitionOf(view, span, informantsOf(span), called, readPayer) };
    };
    const [caller, { called, repetition }, names, endUsers, areNoted] = await Promise.all([
      reading,
      readBelow(),
      historiesOf('names'),
      historiesOf('end_user'),
      packed === null
        ? agreements.read(trace, { connector: undefined, subject: 'credential' })
        : packed.hasSeveralCredentials || null,
    ]);
    const agreementsOf = (histories: readonly AgreementHistory[]) =>
      histories.map(({ agreement }) => agreement);
    // Beyond the page, they may be of others.
    const areSeveral =
      packed === null &&
      (called.some(({ next }) => next !== null) || credentialsIn(span, caller, called).size > 1);
    const isNamed = resolveNames({ record: span.record, evidence: own.evidence }) !== null;
    const { source: ancestor = null, end_user: inherited } = caller?.passedOn ?? {};
    const endUser =
      own.evidence.end_user === undefined
        ? (inherited ?? agreedEndUser(agreementsOf(endUsers), own.current))
        : undefined;
    return {
      view,
      evidence: {
        source: ancestor ?? (isNamed ? null : agreedSource(agreementsOf(names), own.current, resolveNames)),
        ...(endUser !== undefined && { end_user: endUser }),
        repeatsUsage: repetition === 'yes',
        ...(repetition === 'unknown' && { mayRepeatUsage: true }),
      },
      caller: caller?.span ?? null,
      callerReporters: caller?.reporters ?? NOBODY,
      isCallerMissing: caller?.isMissing === true,
      hasCalled: called.some(({ spans }) => spans.some(({ record }) => record !== span.record)),
      agreed: { names: agreementsOf(names).at(-1) ?? null, end_user: agreementsOf(endUsers).at(-1) ?? null },
      hasChangedAgreed: [names, endUsers].some((one) => one.at(-1)?.changedBy.has(span.record) === true),
      severalCredentials: areNoted !== null ? 'noted' : areSeveral ? 'unnoted' : 'no',
      isCallerTold: caller !== null && (await isTold(scope, span, caller)),
    };
  };
};
