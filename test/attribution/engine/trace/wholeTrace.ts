import {
  agree,
  agreedEndUser,
  agreedSource,
  evidenceOfEvent,
  type ResolveNames,
  resolveEndUser,
  spanOf,
} from '../../../../functions/attribution/engine/trace/trace.ts';
import type { Agreement } from '../../../../functions/ledger/records/trace/traceAgreement.store.ts';
import type { TraceEvidence } from '../../../../functions/ledger/records/trace/traceSpan.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';

interface TracedEvent {
  readonly event: InvocationEvent;
  readonly record: string;
}

/**
 * The reference for trace correlation: the evidence of every record of a trace without circles, computed from all of its
 * events at once. The engine must come to the same by keys, whatever the order of arrival.
 */
export const wholeTrace = (
  events: readonly TracedEvent[],
  resolveNames: ResolveNames,
): ReadonlyMap<string, TraceEvidence> => {
  const spans = events
    .map(({ event, record }) => ({ ...spanOf(event, record), evidence: evidenceOfEvent(event) }))
    .toSorted((one, other) => (one.record < other.record ? -1 : 1));
  type KnownSpan = (typeof spans)[number];
  const bySpanId = new Map<string, KnownSpan>();
  for (const span of spans)
    if (span.span_id !== null && !bySpanId.has(span.span_id)) bySpanId.set(span.span_id, span);

  const ancestorsOf = (span: KnownSpan): KnownSpan[] => {
    const parent = span.parent_span_id === span.span_id ? null : span.parent_span_id;
    const above = parent === null ? undefined : bySpanId.get(parent);
    return above === undefined ? [] : [above, ...ancestorsOf(above)];
  };
  const repeating = new Set<string>();
  for (let size = -1; size < repeating.size; ) {
    size = repeating.size;
    for (const { span_id, parent_span_id: parent, reportsUsage } of spans) {
      const hasUsage = reportsUsage || (span_id !== null && repeating.has(span_id));
      if (hasUsage && parent !== null && parent !== span_id) repeating.add(parent);
    }
  }
  const agreementOf = (resolve: ResolveNames) =>
    spans.reduce<Agreement | null>((known, { record, evidence }) => {
      const witness = { record, evidence };
      return resolve(witness) === null ? known : (agree(known, witness, resolve) ?? known);
    }, null);
  const [names, endUsers] = [agreementOf(resolveNames), agreementOf(resolveEndUser)];
  const endUserOf = (span: KnownSpan): string | undefined =>
    span.evidence.end_user === undefined
      ? (ancestorsOf(span).find(({ evidence }) => evidence.end_user !== undefined)?.evidence.end_user ??
        agreedEndUser([endUsers], undefined))
      : undefined;

  const sourceOf = (span: KnownSpan): TraceEvidence['source'] => {
    const ancestor = ancestorsOf(span).find((candidate) => resolveNames(candidate) !== null);
    if (ancestor !== undefined) {
      return { relation: 'ancestor', span_id: ancestor.span_id, evidence: ancestor.evidence };
    }
    return resolveNames(span) === null ? agreedSource([names], undefined, resolveNames) : null;
  };
  return new Map(
    spans.map((span) => {
      const endUser = endUserOf(span);
      const repeatsUsage = span.span_id !== null && repeating.has(span.span_id);
      return [
        span.record,
        { source: sourceOf(span), ...(endUser !== undefined && { end_user: endUser }), repeatsUsage },
      ];
    }),
  );
};
