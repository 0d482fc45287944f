import * as z from 'zod';
import type { InvocationEvent } from '../../schemas/invocationEvent.ts';
import type { Evidence } from './evidence.ts';
import { isInference } from './inferenceSpan.ts';

/** The evidence of an event as it is kept for others to learn from. */
export const KeptEvidence = z.object({
  attributed_identity: z.string().optional(),
  attributed_service: z.string().optional(),
  attribution_confidence: z.number().optional(),
  spiffe_id: z.string().optional(),
  k8s_cluster: z.string().optional(),
  k8s_namespace: z.string().optional(),
  k8s_workload: z.string().optional(),
  api_key_name: z.string().optional(),
  source_system: z.string().optional(),
  tags: z.array(z.string()).optional(),
});

/** A span of a trace, as its event told of it. */
export const Span = z.object({
  /** ULID of its record. */
  record: z.string(),
  span_id: z.string().nullable(),
  parent_span_id: z.string().nullable(),
  /** Whether it is a model call that tells what it used. */
  uses: z.boolean(),
  evidence: KeptEvidence,
});
export type Span = z.infer<typeof Span>;

/**
 * What a span knows from the others of its trace: whose evidence it may learn from, and whether it repeats what spans
 * below it used. Kept with the record, so that it can be replayed when the trace is long forgotten.
 */
export const TraceEvidence = z.object({
  teacher: z
    .object({
      /** It called this span, directly or not; or all others of the trace agree with it. */
      relation: z.enum(['ancestor', 'trace']),
      span_id: z.string().nullable(),
      evidence: KeptEvidence,
    })
    .nullable(),
  repeats: z.boolean(),
});
export type TraceEvidence = z.infer<typeof TraceEvidence>;

export const evidenceOf = (event: Evidence): z.infer<typeof KeptEvidence> => KeptEvidence.parse(event);

export const spanOf = (event: InvocationEvent, record: string): Span => ({
  record,
  span_id: event.span_id ?? null,
  parent_span_id: event.parent_span_id ?? null,
  uses: isInference(event.operation) && (event.input_tokens ?? event.output_tokens) !== undefined,
  evidence: evidenceOf(event),
});

/** Whom a span's own evidence names; null where it names nobody. */
export type Naming = (evidence: Evidence) => { owner: string | null; service: string | null } | null;

/** The spans above one, the nearest first. A trace put together wrongly may go in circles. */
const ancestorsOf = (span: Span, bySpanId: ReadonlyMap<string, Span>): Span[] => {
  const found = new Set<Span>([span]);
  let above = span.parent_span_id === null ? undefined : bySpanId.get(span.parent_span_id);
  while (above !== undefined && !found.has(above)) {
    found.add(above);
    above = above.parent_span_id === null ? undefined : bySpanId.get(above.parent_span_id);
  }
  found.delete(span);
  return [...found];
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
  const names = new Map(ordered.map((span) => [span, naming(span.evidence)] as const));
  const named = ordered.filter((span) => names.get(span) !== null);
  const above = new Map(ordered.map((span) => [span, ancestorsOf(span, bySpanId)] as const));
  const repeating = new Set(ordered.filter(({ uses }) => uses).flatMap((span) => above.get(span) ?? []));
  const distinct = new Set(named.map((span) => JSON.stringify(names.get(span))));

  const teacherOf = (span: Span): TraceEvidence['teacher'] => {
    const ancestor = above.get(span)?.find((candidate) => names.get(candidate) !== null);
    if (ancestor !== undefined) {
      return { relation: 'ancestor', span_id: ancestor.span_id, evidence: ancestor.evidence };
    }
    const other = distinct.size === 1 ? named.find((candidate) => candidate !== span) : undefined;
    return other === undefined
      ? null
      : { relation: 'trace', span_id: other.span_id, evidence: other.evidence };
  };
  return new Map(
    ordered.map((span) => [span.record, { teacher: teacherOf(span), repeats: repeating.has(span) }]),
  );
};
