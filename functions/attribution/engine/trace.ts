import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { mayInform, type Party } from '../../ledger/records/dedup/statementPolicy.ts';
import { Evidence } from '../../ledger/records/trace/evidence.ts';
import type { Span, TraceEvidence } from '../../ledger/records/trace/traceSpan.ts';
import { isInference } from './inferenceSpan.ts';
import { nearnessOf } from './observationParts.ts';
import { combineObservations, type ObservedSpan } from './observedSpan.ts';
import { repeatingSpans } from './repeatedUsage.ts';

const hasUsage = ({
  input_tokens,
  output_tokens,
  estimated_cost_usd,
  cost_breakdown,
}: InvocationEvent): boolean =>
  (input_tokens ?? output_tokens ?? estimated_cost_usd ?? cost_breakdown) !== undefined;

const tokensOf = ({ input_tokens = 0, output_tokens = 0 }: InvocationEvent): number =>
  input_tokens + output_tokens;

/** `origin`: whose span it is. `observer` is the digest of who observed the call; undefined for its first observer. */
export const spanOf = (
  event: InvocationEvent,
  record: string,
  {
    observer,
    lane,
    connector,
    credential,
  }: Pick<Span, 'observer' | 'lane' | 'connector' | 'credential'> = {},
): Span => ({
  record,
  ...(observer !== undefined && { observer }),
  ...(lane !== undefined && { lane }),
  ...(connector !== undefined && { connector }),
  ...(nearnessOf(event.ingestion_layer) > 0 && { nearness: nearnessOf(event.ingestion_layer) }),
  span_id: event.span_id ?? null,
  parent_span_id: event.caller_span_id ?? event.parent_span_id ?? null,
  ...(event.covered_span_ids !== undefined && { covered: event.covered_span_ids }),
  reportsUsage: isInference(event.operation) && hasUsage(event),
  ...(credential !== undefined && { credential }),
  ...(tokensOf(event) > 0 && { tokens: tokensOf(event) }),
  ...(event.estimated_cost_usd !== undefined && { cost_usd: event.estimated_cost_usd }),
  propagated: false,
  evidence: Evidence.parse(event),
});

/** The owner and service of a span by its own evidence, at the time of the call; null when the evidence names neither. */
export type ResolveSpanName = (span: Span) => { owner: string | null; service: string | null } | null;

/** The ancestors of a span, nearest first. In an invalid trace, a span that is its own ancestor has none. */
const ancestorsOf = (span: Span, bySpanId: ReadonlyMap<string, Span>): Span[] => {
  const ancestors = new Set<Span>();
  let parent = span.parent_span_id;
  for (;;) {
    const ancestor = parent === null ? undefined : bySpanId.get(parent);
    if (ancestor === undefined || ancestors.has(ancestor)) return [...ancestors];
    if (ancestor.span_id === span.span_id) return [];
    ancestors.add(ancestor);
    parent = ancestor.parent_span_id;
  }
};

/** Whether spans of a trace name different owners or services. */
export const hasConflictingNames = (spans: readonly Span[], resolveName: ResolveSpanName): boolean => {
  const names = combineObservations(spans)
    .map(resolveName)
    .filter((name) => name !== null);
  return new Set(names.map((name) => JSON.stringify(name))).size > 1;
};

const byRecord = (one: Span, other: Span): number => (one.record < other.record ? -1 : 1);

const partyOfSpan = ({ connector }: Span): Party => connector ?? null;

/** The spans of each party in a trace, with those that may inform them. */
export const viewsOf = (spans: readonly Span[]): { readonly own: Span[]; readonly visible: Span[] }[] =>
  [...Map.groupBy(spans, partyOfSpan)].map(([party, own]) => ({
    own,
    visible: spans.filter((span) => mayInform(partyOfSpan(span), party)),
  }));

const correlateVisible = (
  spans: readonly Span[],
  resolveName: ResolveSpanName,
): ReadonlyMap<string, TraceEvidence> => {
  const ordered = combineObservations(spans).toSorted(byRecord);
  // Several events may report the same span (an application and a gateway). The first one represents it.
  const bySpanId = new Map<string, Span>();
  for (const span of ordered) {
    for (const id of span.spanIds) if (!bySpanId.has(id)) bySpanId.set(id, span);
  }
  for (const span of ordered) {
    for (const id of span.covered ?? []) if (!bySpanId.has(id)) bySpanId.set(id, span);
  }
  const named = ordered.filter((span) => resolveName(span) !== null);
  const isUnanimous = !hasConflictingNames(named, resolveName);
  const ancestors = new Map<Span, Span[]>(
    ordered.map((span) => [span, ancestorsOf(span, bySpanId)] as const),
  );
  const repeating = repeatingSpans(ordered, (span) => ancestors.get(span) ?? []);

  const findSource = (span: ObservedSpan): TraceEvidence['source'] => {
    const ancestor = ancestors.get(span)?.find((candidate) => resolveName(candidate) !== null);
    if (ancestor !== undefined) {
      return { relation: 'ancestor', span_id: ancestor.span_id, evidence: ancestor.evidence };
    }
    const other = isUnanimous ? named.find((candidate) => candidate !== span) : undefined;
    return other === undefined
      ? null
      : { relation: 'trace', span_id: other.span_id, evidence: other.evidence };
  };
  const endUsers = new Set(ordered.flatMap(({ evidence }) => evidence.end_user ?? []));
  const findEndUser = (span: ObservedSpan): string | undefined =>
    ancestors.get(span)?.find(({ evidence }) => evidence.end_user !== undefined)?.evidence.end_user ??
    (endUsers.size === 1 ? [...endUsers][0] : undefined);
  return new Map(
    ordered.map((span) => {
      const endUser = findEndUser(span);
      const evidence = {
        source: findSource(span),
        repeatsUsage: repeating.has(span),
        ...(endUser !== undefined && { end_user: endUser }),
      };
      return [span.record, evidence];
    }),
  );
};

/**
 * Trace evidence for each span, keyed by record, from the spans that may inform it. The source is the nearest ancestor whose evidence names an owner or
 * service. Without one, it is any other span of the trace, provided that all spans with evidence name the same. Only the
 * own evidence of a span is propagated, never propagated evidence. So the result does not depend on arrival order.
 */
export const correlate = (
  spans: readonly Span[],
  resolveName: ResolveSpanName,
): ReadonlyMap<string, TraceEvidence> => {
  const views = viewsOf(spans);
  if (views.length <= 1) return correlateVisible(spans, resolveName);
  return new Map(
    views.flatMap(({ own, visible }) => {
      const evidence = correlateVisible(visible, resolveName);
      return own.flatMap(({ record }) => {
        const found = evidence.get(record);
        return found === undefined ? [] : [[record, found] as const];
      });
    }),
  );
};
