import { mayMoveCost } from '../../../ledger/records/dedup/statementPolicy.ts';
import { decimal, sumOf, ZERO } from '../../../platform/shared/decimal.ts';
import type { ObservedSpan } from '../observedSpan.ts';

/**
 * Another credential must report at least this share of the usage of a span, so that its spans below are what the span
 * repeats. Client libraries count tokens a little differently (judgement).
 */
const SHARE_OF_OTHERS = 0.9;

type Usage = Pick<ObservedSpan, 'tokens' | 'cost_usd' | 'understates'>;

/** Whether a span repeats usage that spans below it report. `unknown`: it may, and nothing says for certain. */
export type Repetition = 'yes' | 'no' | 'unknown';

/** A span below another one that reports usage. `payer`: whom it or a span between them names. */
export interface ReportingSpan extends Usage, Pick<ObservedSpan, 'credential' | 'credentials' | 'payer'> {
  /** Whether no span below it reports usage. */
  readonly isLeaf: boolean;
}

const tokensOf = (spans: readonly Usage[]): number => spans.reduce((sum, { tokens = 0 }) => sum + tokens, 0);

/** Whether `spans` report at least most of the tokens of a span. */
const accountFor = (spans: readonly Usage[], span: Usage): boolean =>
  tokensOf(spans) >= tokensOf([span]) * SHARE_OF_OTHERS;

/**
 * Whether `spans` cost at least most of what a span costs. One of unknown cost counts nothing: the cost would be lost with it. Of
 * a span of unknown cost, whether they are not known to be free.
 */
const payFor = (spans: readonly Usage[], { cost_usd: own }: Usage): boolean => {
  const costs = spans.flatMap(({ cost_usd }) => cost_usd ?? []);
  const paid = sumOf(costs);
  if (own === undefined) return costs.length < spans.length || paid.gt(ZERO);
  return paid.gte(decimal(own).times(String(SHARE_OF_OTHERS)));
};

/** Whether `spans` are known to cost less than a span. */
const areCheaper = (spans: readonly Usage[], span: Usage): boolean =>
  spans.every(({ cost_usd }) => cost_usd !== undefined) && !payFor(spans, span);

/** Whether a span below states for itself that the span repeats its usage: the same credential reports both. */
export const isOfSameCredential = (
  { credential }: Pick<ObservedSpan, 'credential'>,
  { credentials }: Pick<ReportingSpan, 'credentials'>,
): boolean => credentials.includes(credential);

/**
 * Whether a span repeats usage that spans below it report. Whoever knows the ids of a trace can send a span below that of
 * another credential. Such spans take the cost of the other away only if they have that usage, cost as much, name no other
 * payer, and report no less energy and carbon than such usage has. With another payer, or an unknown cost, nobody knows. `payer`: whom the span, or who called it, names.
 */
export const repetitionBy = (
  span: Usage & Pick<ObservedSpan, 'credential' | 'payer'>,
  below: readonly ReportingSpan[],
): Repetition => {
  if (below.some((one) => isOfSameCredential(span, one))) return 'yes';
  const leaves = below.filter(({ isLeaf, understates }) => isLeaf && understates !== true);
  if (leaves.length === 0 || !accountFor(leaves, span) || areCheaper(leaves, span)) return 'no';
  const ofPayer = leaves.filter((leaf) => mayMoveCost(span, leaf));
  const isRepeated = ofPayer.length > 0 && accountFor(ofPayer, span) && payFor(ofPayer, span);
  return isRepeated ? 'yes' : 'unknown';
};
