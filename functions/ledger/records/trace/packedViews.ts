import { packedEntries } from './packedEntries.ts';
import type { Span } from './traceSpan.ts';
import { queryInMemory, type TraceView, traceView } from './traceView.ts';

export type ViewsByLane = (lane: string | undefined) => TraceView;

/** The spans of each lane. All readers of one query share them. */
export const packedViews = (all: readonly Span[]): ViewsByLane => {
  const views = new Map<string | undefined, TraceView>();
  return (lane) => {
    const known = views.get(lane);
    if (known !== undefined) return known;
    const spans = all.filter((span) => span.lane === lane);
    const view = traceView({ lane }, spans, queryInMemory(packedEntries(spans)));
    views.set(lane, view);
    return view;
  };
};
