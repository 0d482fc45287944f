import { callersOf, ownIdsOf, type Span } from '../../ledger/records/trace/traceSpan.ts';

/** A span with the ids under which its observers know it. */
export interface ObservedSpan extends Span {
  readonly spanIds: readonly string[];
  /** Who observed it. The `credential` of the span is that of its first observer, whose record it is. */
  readonly credentials: readonly Span['credential'][];
}

/** Observers near the caller come first, because they know best who called. The rest makes the order total. */
const byKnowledgeOfCaller = (one: Span, other: Span): number =>
  (one.nearness ?? 0) - (other.nearness ?? 0) || (orderOf(one) < orderOf(other) ? -1 : 1);
const orderOf = ({ span_id, parent_span_id, observer }: Span): string =>
  JSON.stringify([span_id, parent_span_id, observer]);

/** What all observers of a call say together, whatever the order of arrival. Null without an observer. */
export const combineObservations = (observed: readonly Span[]): ObservedSpan | null => {
  const ordered = observed.toSorted(byKnowledgeOfCaller);
  const [first] = ordered;
  if (first === undefined) return null;
  const creator = ordered.find(({ observer }) => observer === undefined) ?? first;
  const traced = ordered.find(({ span_id }) => span_id !== null) ?? first;
  return {
    ...first,
    span_id: traced.span_id,
    parent_span_id: traced.parent_span_id,
    reportsUsage: ordered.some(({ reportsUsage }) => reportsUsage),
    credential: creator.credential,
    credentials: ordered.map(({ credential }) => credential),
    tokens: Math.max(...ordered.map(({ tokens = 0 }) => tokens)),
    cost_usd: creator.cost_usd ?? ordered.find(({ cost_usd }) => cost_usd !== undefined)?.cost_usd,
    understates: creator.understates,
    payer: creator.payer ?? ordered.find(({ payer }) => payer !== undefined)?.payer,
    spanIds: [...new Set(ordered.flatMap(ownIdsOf))],
    // Of several observers, nobody knows what the others had read.
    packs: observed.length === 1 ? first.packs : undefined,
  };
};

/** The ids of the spans that called this one, nearest first. A span that names itself does not count. */
export const otherCallersOf = (span: ObservedSpan): string[] =>
  callersOf(span).filter((caller) => !span.spanIds.includes(caller));
