import { decimal } from '../../../platform/shared/decimal.ts';
import type { ObservedSpan } from '../observedSpan.ts';

/**
 * Another credential must report at least this share of the usage of a span, so that its spans below are what the span
 * repeats. Client libraries count tokens a little differently (judgement).
 */
const SHARE_OF_OTHERS = 0.9;

type Usage = Pick<ObservedSpan, 'tokens' | 'cost_usd'>;

/** A span below another one that reports usage. */
export interface ReportingSpan extends Usage, Pick<ObservedSpan, 'credentials'> {
  /** Whether no span below it reports usage. */
  readonly isLeaf: boolean;
}

const tokensOf = (spans: readonly Usage[]): number => spans.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
const costOf = (costs: readonly string[]) => costs.reduce((sum, cost) => sum.plus(cost), decimal('0'));

/** Whether `spans` report at least most of what a span reports. A cost that none of them states follows from their tokens. */
const accountFor = (spans: readonly Usage[], span: Usage): boolean => {
  const costs = spans.flatMap(({ cost_usd }) => cost_usd ?? []);
  return (
    tokensOf(spans) >= tokensOf([span]) * SHARE_OF_OTHERS &&
    (costs.length === 0 || costOf(costs).gte(decimal(span.cost_usd ?? '0').times(String(SHARE_OF_OTHERS))))
  );
};

/** Whether a span below states for itself that the span repeats its usage: the same credential reports both. */
export const isOfSameCredential = (
  { credential }: Pick<ObservedSpan, 'credential'>,
  { credentials }: Pick<ReportingSpan, 'credentials'>,
): boolean => credentials.includes(credential);

/**
 * Whether a span repeats usage that spans below it report. Whoever knows the ids of a trace can send a span below that of
 * another credential. Such a span takes the cost of the other away only if it has that usage itself.
 */
export const repeatsUsage = (
  span: Usage & Pick<ObservedSpan, 'credential'>,
  below: readonly ReportingSpan[],
): boolean =>
  below.length > 0 &&
  (below.some((one) => isOfSameCredential(span, one)) ||
    accountFor(
      below.filter(({ isLeaf }) => isLeaf),
      span,
    ));
