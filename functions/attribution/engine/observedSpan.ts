import { Evidence } from '../../ledger/records/trace/evidence.ts';
import type { Span } from '../../ledger/records/trace/traceSpan.ts';

/** A span with the ids under which its observers know it. */
export interface ObservedSpan extends Span {
  readonly spanIds: readonly string[];
  /** Who observed it. The `credential` of the span is that of its first observer, whose record it is. */
  readonly credentials: readonly Span['credential'][];
}

/** Observers near the caller come first, because they know best who called. The rest makes the order total. */
const byKnowledgeOfCaller = (one: Span, other: Span): number =>
  (one.nearness ?? 0) - (other.nearness ?? 0) ||
  (JSON.stringify([one.evidence, one.span_id]) < JSON.stringify([other.evidence, other.span_id]) ? -1 : 1);

const combine = (observed: readonly Span[]): ObservedSpan => {
  const ordered = observed.toSorted(byKnowledgeOfCaller);
  const [first] = ordered;
  if (first === undefined) throw new Error('a call has no observer');
  const members = ordered.toReversed().map(({ evidence }) => evidence);
  const creator = ordered.find(({ observer }) => observer === undefined) ?? first;
  const traced = ordered.find(({ span_id }) => span_id !== null) ?? first;
  return {
    ...first,
    observer: ordered.map(({ observer = '' }) => observer).join(' '),
    span_id: traced.span_id,
    parent_span_id: traced.parent_span_id,
    covered: ordered.flatMap(({ covered = [] }) => covered),
    credential: creator.credential,
    credentials: ordered.map(({ credential }) => credential),
    tokens: Math.max(...ordered.map(({ tokens = 0 }) => tokens)),
    cost_usd: creator.cost_usd ?? ordered.find(({ cost_usd }) => cost_usd !== undefined)?.cost_usd,
    reportsUsage: ordered.some(({ reportsUsage }) => reportsUsage),
    propagated: ordered.every(({ propagated }) => propagated),
    evidence: Evidence.parse(Object.assign({}, ...members)),
    spanIds: ordered.flatMap(({ span_id }) => span_id ?? []),
  };
};

/** One span for each record: what all observers of its call say together, whatever the order of arrival. */
export const combineObservations = (spans: readonly Span[]): ObservedSpan[] => {
  const isShared = spans.some(({ observer }) => observer !== undefined);
  if (!isShared)
    return spans.map((span) => ({
      ...span,
      spanIds: span.span_id === null ? [] : [span.span_id],
      credentials: [span.credential],
    }));
  return [...Map.groupBy(spans, ({ record }) => record).values()].map(combine);
};
