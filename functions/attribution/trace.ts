import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { Evidence } from '../ledger/evidence.ts';
import type { Span, TraceEvidence } from '../ledger/traceSpan.ts';
import { isInference } from './inferenceSpan.ts';

const tellsUsage = ({
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
  uses: isInference(event.operation) && tellsUsage(event),
  taught: false,
  evidence: Evidence.parse(event),
});

/** Whom a span's own evidence names, as of when it was called; null where it names nobody. */
export type Naming = (span: Span) => { owner: string | null; service: string | null } | null;

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
export const isDivided = (spans: readonly Span[], naming: Naming): boolean => {
  const names = spans.map(naming).filter((name) => name !== null);
  return new Set(names.map((name) => JSON.stringify(name))).size > 1;
};

const byRecord = (one: Span, other: Span): number => (one.record < other.record ? -1 : 1);

/**
 * What each span of a trace learns from the others: from the nearest span above it that names anybody; else from the
 * trace, where all that name anybody name the same. A span only ever hands on its own evidence, so that nothing learnt
 * is taught again, and the result does not depend on the order in which spans came. Keyed by record.
 */
export const correlate = (spans: readonly Span[], naming: Naming): ReadonlyMap<string, TraceEvidence> => {
  const ordered = spans.toSorted(byRecord);
  // Of several events about one span (an application's and a gateway's) the first stands for it.
  const bySpanId = new Map<string, Span>();
  for (const span of ordered) {
    if (span.span_id !== null && !bySpanId.has(span.span_id)) bySpanId.set(span.span_id, span);
  }
  const named = ordered.filter((span) => naming(span) !== null);
  const isOfOneVoice = !isDivided(named, naming);
  const above = new Map(ordered.map((span) => [span, ancestorsOf(span, bySpanId)] as const));
  // By id, since each of several events about one span repeats what is below it.
  const repeating = new Set(
    ordered
      .filter(({ uses }) => uses)
      .flatMap((span) => above.get(span)?.map(({ span_id }) => span_id) ?? []),
  );

  const teacherOf = (span: Span): TraceEvidence['teacher'] => {
    const ancestor = above.get(span)?.find((candidate) => naming(candidate) !== null);
    if (ancestor !== undefined) {
      return { relation: 'ancestor', span_id: ancestor.span_id, evidence: ancestor.evidence };
    }
    const other = isOfOneVoice ? named.find((candidate) => candidate !== span) : undefined;
    return other === undefined
      ? null
      : { relation: 'trace', span_id: other.span_id, evidence: other.evidence };
  };
  return new Map(
    ordered.map((span) => [span.record, { teacher: teacherOf(span), repeats: repeating.has(span.span_id) }]),
  );
};
