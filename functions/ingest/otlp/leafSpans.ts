import type { Span } from './telemetry.ts';

/** Most ancestors of a span that are read: a body can hold 100,000 calls below a chain of as many spans. */
const ANCESTORS_MAXIMUM = 64;

export type ParentOf = (span: Span) => Span | undefined;

/** Finds the parent of a span in its export. */
export const parentsIn = (spans: readonly Span[]): ParentOf => {
  const keyOf = (traceId: string, spanId: string) => `${traceId} ${spanId}`;
  const bySpanId = new Map(spans.map((span) => [keyOf(span.traceId, span.spanId), span]));
  return ({ traceId, parentSpanId }) =>
    parentSpanId === '' ? undefined : bySpanId.get(keyOf(traceId, parentSpanId));
};

/** The ancestors of a span in its export, nearest first, at most 64. */
export const ancestorsOf = (span: Span, parentOf: ParentOf): Span[] => {
  const ancestors = new Set<Span>();
  let parent = parentOf(span);
  // A malformed export can name a span as its own ancestor.
  while (parent !== undefined && parent !== span && !ancestors.has(parent)) {
    if (ancestors.size === ANCESTORS_MAXIMUM) break;
    ancestors.add(parent);
    parent = parentOf(parent);
  }
  return [...ancestors];
};

/**
 * Spans with a call below them. A framework and a provider's SDK often both report the same call, one as the parent of the
 * other. Only the lowest one is billed. Visits each span once.
 */
export const spansAbove = (calls: readonly Span[], parentOf: ParentOf): ReadonlySet<Span> => {
  const covered = new Set<Span>();
  for (const call of calls) {
    // The ancestors of a covered span are covered already. In a cycle of calls, the first one stays.
    let parent = covered.has(call) ? undefined : parentOf(call);
    while (parent !== undefined && parent !== call && !covered.has(parent)) {
      covered.add(parent);
      parent = parentOf(parent);
    }
  }
  return covered;
};
