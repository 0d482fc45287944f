import type { Attribution } from '../../../ledger/records/attribution.ts';
import { recordPartitionOf } from '../../../ledger/records/ledgerKey.ts';
import type { RecordVersionStore } from '../../../ledger/records/recordVersion.store.ts';
import type { Evidence } from '../../../ledger/records/trace/evidence.ts';
import type { TraceStore } from '../../../ledger/records/trace/trace.store.ts';
import type { TraceAgreementStore } from '../../../ledger/records/trace/traceAgreement.store.ts';
import { type AgreementSubject, partitionOf } from '../../../ledger/records/trace/traceRow.store.ts';
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
}

export interface ReadEvidence {
  readonly evidence: TraceEvidence;
  /** The span that called this one. */
  readonly caller: Span | null;
  /** Whether the record of the caller says already what this span shows: that the usage of the caller is repeated below it. */
  readonly isCallerTold: boolean;
}

/** The parties whose spans may inform one of this party, the tenant first. */
const informantsOf = ({ connector }: Pick<Span, 'connector'>): readonly (string | undefined)[] =>
  connector === undefined ? [undefined] : [undefined, connector];

/** The first record that reports a span and may inform another one. */
export const firstInformant = async (
  { traces }: Pick<TraceStores, 'traces'>,
  { trace }: Pick<TraceScope, 'trace'>,
  spanId: string,
  span: Pick<Span, 'connector'>,
): Promise<Span | null> => {
  for (const connector of informantsOf(span)) {
    const found = await traces.first(trace, spanId, connector);
    if (found !== null) return found;
  }
  return null;
};

/**
 * Returns a reader of the evidence about a span. It reads the record of the span that called it, which holds what that one
 * inherited, and whether a span below it reports usage. So it costs the same in a trace of any size, depth and order.
 */
export const traceEvidenceReader = (stores: TraceStores) => {
  const { agreements, records } = stores;
  const isRepeated = usageBelowReader(stores);

  interface CallerQuery {
    readonly scope: TraceScope;
    readonly spanId: string;
    readonly connector: string | undefined;
  }
  /** Many spans of one batch have the same caller. Its record is read once for all of them. */
  const readCaller = singleFlightBatch(
    async ([{ scope, spanId, connector }]: NonEmptyBatch<CallerQuery>): Promise<Caller | null> => {
      const { tenant, trace } = scope;
      const caller = await firstInformant(stores, scope, spanId, { connector });
      if (caller === null) return null;
      const key = { partition: recordPartitionOf(tenant, caller.record), ulid: caller.record };
      const attribution = (await records.find(tenant.tenant_id, key))?.newest.attribution ?? null;
      const isOfTrace = attribution?.record.trace_id === trace.traceId;
      return { span: caller, attribution: isOfTrace ? attribution : null };
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
    const [caller, isRepeating, names, endUsers] = await Promise.all([
      callerOf(scope, span),
      isRepeated(trace, span, informantsOf(span)),
      agreementsOf(trace, span, 'names'),
      agreementsOf(trace, span, 'end_user'),
    ]);
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
      evidence: { source, ...(endUser !== undefined && { end_user: endUser }), repeatsUsage: isRepeating },
      caller: caller?.span ?? null,
      // Usage that the credential of the caller reports below it is repeated, whatever else is below it.
      isCallerTold:
        above?.repeatsUsage === true &&
        span.reportsUsage &&
        span.credentials.includes(attribution?.storedEvent.stated_by?.id),
    };
  };
};
