import { mayMoveCost } from '../../../ledger/records/dedup/statementPolicy.ts';
import { decimal } from '../../../platform/shared/decimal.ts';
import type { ObservedSpan } from '../observedSpan.ts';

/**
 * Another credential must report at least this share of the usage of a span, so that its spans below are what the span
 * repeats. Client libraries count tokens a little differently (judgement).
 */
const SHARE_OF_OTHERS = 0.9;

type Usage = Pick<ObservedSpan, 'tokens' | 'cost_usd'>;

/** Whether a span repeats usage that spans below it report. `unknown`: it may, and nothing says for certain. */
export type Repetition = 'yes' | 'no' | 'unknown';

/** A span below another one that reports usage. `payer`: whom it or a span between them names. */
export interface ReportingSpan extends Usage, Pick<ObservedSpan, 'credential' | 'credentials' | 'payer'> {
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
 * another credential. Such spans take the cost of the other away only if they have that usage themselves, and name no other
 * payer. If they do, nobody knows. `payer`: whom the span, or who called it, names.
 */
export const repetitionBy = (
  span: Usage & Pick<ObservedSpan, 'credential' | 'payer'>,
  below: readonly ReportingSpan[],
): Repetition => {
  if (below.some((one) => isOfSameCredential(span, one))) return 'yes';
  const leaves = below.filter(({ isLeaf }) => isLeaf);
  if (leaves.length === 0 || !accountFor(leaves, span)) return 'no';
  const ofPayer = leaves.filter((leaf) => mayMoveCost(span, leaf));
  return ofPayer.length > 0 && accountFor(ofPayer, span) ? 'yes' : 'unknown';
};
