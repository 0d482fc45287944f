import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { Evidence } from '../ledger/evidence.ts';
import type { Span, TraceEvidence } from '../ledger/traceSpan.ts';
import { isInference } from './inferenceSpan.ts';

const hasUsage = ({
  input_tokens,
  output_tokens,
  estimated_cost_usd,
  cost_breakdown,
}: InvocationEvent): boolean =>
  (input_tokens ?? output_tokens ?? estimated_cost_usd ?? cost_breakdown) !== undefined;

export const spanOf = (event: InvocationEvent, record: string): Span => ({
  record,
  span_id: event.span_id ?? null,
  parent_span_id: event.parent_span_id ?? null,
  uses: isInference(event.operation) && hasUsage(event),
  taught: false,
  evidence: Evidence.parse(event),
});

/** Whom a span's own evidence names, as of when it was called; null where it names nobody. */
export type ResolveSpanName = (span: Span) => { owner: string | null; service: string | null } | null;

/** The spans above one, the nearest first. In a trace put together wrongly, what is above itself is above nobody. */
const ancestorsOf = (span: Span, bySpanId: ReadonlyMap<string, Span>): Span[] => {
  const found = new Set<Span>();
  let parent = span.parent_span_id;
  for (;;) {
    const above = parent === null ? undefined : bySpanId.get(parent);
    if (above === undefined || found.has(above)) return [...found];
    if (above.span_id === span.span_id) return [];
    found.add(above);
    parent = above.parent_span_id;
  }
};

/** Whether spans of a trace name different owners or services. */
export const hasConflictingNames = (spans: readonly Span[], resolveName: ResolveSpanName): boolean => {
  const names = spans.map(resolveName).filter((name) => name !== null);
  return new Set(names.map((name) => JSON.stringify(name))).size > 1;
};

const byRecord = (one: Span, other: Span): number => (one.record < other.record ? -1 : 1);

/**
 * What each span of a trace learns from the others: from the nearest span above it that names anybody; else from the
 * trace, where all that name anybody name the same. A span only ever hands on its own evidence, so that nothing learnt
 * is taught again, and the result does not depend on the order in which spans came. Keyed by record.
 */
export const correlate = (
  spans: readonly Span[],
  resolveName: ResolveSpanName,
): ReadonlyMap<string, TraceEvidence> => {
  const ordered = spans.toSorted(byRecord);
  // Of several events about one span (an application's and a gateway's) the first stands for it.
  const bySpanId = new Map<string, Span>();
  for (const span of ordered) {
    if (span.span_id !== null && !bySpanId.has(span.span_id)) bySpanId.set(span.span_id, span);
  }
  const named = ordered.filter((span) => resolveName(span) !== null);
  const isUnanimous = !hasConflictingNames(named, resolveName);
  const ancestors = new Map(ordered.map((span) => [span, ancestorsOf(span, bySpanId)] as const));
  // By id, since each of several events about one span repeats what is below it.
  const repeatingSpanIds = new Set(
    ordered
      .filter(({ uses }) => uses)
      .flatMap((span) => ancestors.get(span)?.map(({ span_id }) => span_id) ?? []),
  );

  const findSource = (span: Span): TraceEvidence['teacher'] => {
    const ancestor = ancestors.get(span)?.find((candidate) => resolveName(candidate) !== null);
    if (ancestor !== undefined) {
      return { relation: 'ancestor', span_id: ancestor.span_id, evidence: ancestor.evidence };
    }
    const other = isUnanimous ? named.find((candidate) => candidate !== span) : undefined;
    return other === undefined
      ? null
      : { relation: 'trace', span_id: other.span_id, evidence: other.evidence };
  };
  return new Map(
    ordered.map((span) => [
      span.record,
      { teacher: findSource(span), repeats: repeatingSpanIds.has(span.span_id) },
    ]),
  );
};
