import type { Span } from './telemetry.ts';

/**
 * Of the spans of one export that call a model, those without another such span below them. A framework and a provider's
 * SDK often both report the same call, one as the parent of the other. Only the leaf is billed.
 */
export const leavesOf = (calls: readonly Span[], all: readonly Span[]): Span[] => {
  const keyOf = (traceId: string, spanId: string) => `${traceId} ${spanId}`;
  const parents = new Map(all.map((span) => [keyOf(span.traceId, span.spanId), span]));
  const covered = new Set<Span>();
  for (const call of calls) {
    const path = new Set<Span>([call]);
    let parent = parents.get(keyOf(call.traceId, call.parentSpanId));
    // A malformed export can name a span as its own ancestor.
    while (call.parentSpanId !== '' && parent !== undefined && !path.has(parent)) {
      covered.add(parent);
      path.add(parent);
      parent =
        parent.parentSpanId === '' ? undefined : parents.get(keyOf(parent.traceId, parent.parentSpanId));
    }
  }
  return calls.filter((call) => !covered.has(call));
};
