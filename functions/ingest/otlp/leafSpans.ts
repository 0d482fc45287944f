import { COVERED_SPANS_MAXIMUM } from '../../../schemas/ingest/invocationEvent.ts';
import type { Span } from '../spans/telemetry.ts';

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

/** Whether a span is of a tool or an agent, whose calls are others than those above it. */
type IsBoundary = (span: Span) => boolean;

/**
 * The nearest span above that the export does not have, if only spans that can report the same call lie between. In another
 * export it can have a call.
 */
export const callerBeyond = (span: Span, parentOf: ParentOf, isBoundary: IsBoundary): string | undefined => {
  const above = ancestorsOf(span, parentOf);
  const last = above.at(-1);
  if (last === undefined || last.parentSpanId === '' || above.some(isBoundary)) return undefined;
  // An ancestor whose parent is known is the last one only in a circle, or of too many.
  return parentOf(last) === undefined ? last.parentSpanId : undefined;
};

/** Of each call that is the lowest one, the nearest spans below it that can report the same call. */
export const spansBelow = (
  spans: readonly Span[],
  { isCall, isLowest }: { readonly isCall: IsBoundary; readonly isLowest: IsBoundary },
  parentOf: ParentOf,
  isBoundary: IsBoundary,
): ReadonlyMap<Span, readonly string[]> => {
  const below = new Map<Span, { readonly id: string; readonly distance: number }[]>();
  for (const span of spans) {
    let above = isCall(span) || isBoundary(span) ? undefined : parentOf(span);
    let distance = 0;
    while (above !== undefined && !isCall(above) && !isBoundary(above) && distance < ANCESTORS_MAXIMUM) {
      above = parentOf(above);
      distance += 1;
    }
    if (above === undefined || !isLowest(above)) continue;
    const found = below.get(above) ?? [];
    found.push({ id: span.spanId, distance });
    below.set(above, found);
  }
  return new Map(
    [...below].map(([call, found]) => [
      call,
      found
        .toSorted((one, other) => one.distance - other.distance)
        .slice(0, COVERED_SPANS_MAXIMUM)
        .map(({ id }) => id),
    ]),
  );
};

/**
 * Spans with a call below them. A framework and a provider's SDK often both report the same call, one as the parent of the
 * other. Only the lowest one is billed. A call that a tool or an agent makes is another one than the call above the tool. Visits
 * each span once.
 */
export const spansAbove = (
  calls: readonly Span[],
  parentOf: ParentOf,
  isBoundary: IsBoundary,
): ReadonlySet<Span> => {
  const covered = new Set<Span>();
  for (const call of calls) {
    // The ancestors of a covered span are covered already. In a cycle of calls, the first one stays.
    let parent = covered.has(call) ? undefined : parentOf(call);
    while (parent !== undefined && parent !== call && !covered.has(parent) && !isBoundary(parent)) {
      covered.add(parent);
      parent = parentOf(parent);
    }
  }
  return covered;
};
