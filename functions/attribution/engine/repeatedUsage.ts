import { decimal } from '../../platform/shared/decimal.ts';
import type { ObservedSpan } from './observedSpan.ts';

/**
 * Another credential must report at least this share of the usage of a span, so that its spans below are what the span
 * repeats. Client libraries count tokens a little differently (judgement).
 */
const SHARE_OF_OTHERS = 0.9;

const tokensOf = (spans: readonly Pick<ObservedSpan, 'tokens'>[]): number =>
  spans.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
const costOf = (costs: readonly string[]) => costs.reduce((sum, cost) => sum.plus(cost), decimal('0'));

/** Whether `spans` report at least most of what a span reports. A cost that none of them states follows from their tokens. */
const accountFor = (spans: readonly ObservedSpan[], span: ObservedSpan): boolean => {
  const costs = spans.flatMap(({ cost_usd }) => cost_usd ?? []);
  return (
    tokensOf(spans) >= tokensOf([span]) * SHARE_OF_OTHERS &&
    (costs.length === 0 || costOf(costs).gte(decimal(span.cost_usd ?? '0').times(String(SHARE_OF_OTHERS))))
  );
};

/**
 * Which spans repeat usage that spans below them report. Whoever knows the ids of a trace can send a span below that of
 * another credential. Such a span takes the cost of the other away only if it has that usage itself.
 */
export const repeatingSpans = (
  spans: readonly ObservedSpan[],
  ancestorsOf: (span: ObservedSpan) => readonly { readonly span_id: string | null }[],
): ReadonlySet<ObservedSpan> => {
  // By span id: each of several events that report one span repeats the usage below it.
  const below = new Map<string | null, ObservedSpan[]>();
  for (const span of spans.filter(({ reportsUsage }) => reportsUsage)) {
    for (const { span_id: id } of ancestorsOf(span)) below.set(id, [...(below.get(id) ?? []), span]);
  }
  const isLeaf = ({ span_id: id }: ObservedSpan): boolean => id === null || !below.has(id);
  const repeats = (span: ObservedSpan): boolean => {
    const reporting = below.get(span.span_id);
    if (reporting === undefined) return false;
    const isOwn = reporting.some(({ credentials }) => credentials.includes(span.credential));
    return isOwn || accountFor(reporting.filter(isLeaf), span);
  };
  return new Set(spans.filter(repeats));
};
