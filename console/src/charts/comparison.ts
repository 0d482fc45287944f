import type { PreviousTotals, UsageReport } from '../../../sdk/typescript/src/types.ts';
import { formatAmount, formatShare, type Measure } from '../format/amount.ts';
import { magnitude, sum } from '../format/decimal.ts';
import { centralOf } from './usage.ts';

/**
 * Whether the tenant sent calls throughout the period before. One that began to send them later would show a growth that is
 * none.
 */
export const isComparable = ({ previous }: Pick<UsageReport, 'previous'>): boolean =>
  previous?.complete === true;

export interface Change {
  /** In the unit of the measure, with its sign. */
  readonly difference: string;
  /** Null if there was nothing before. */
  readonly relative: number | null;
}

const negated = (amount: string): string => (magnitude(amount) === 0 ? amount : `-${amount}`);

/** The change from an amount of the period before. Null if one of them is unknown. */
export const differenceOf = (amount: string | null, past: string | null): Change | null => {
  if (amount === null || past === null) return null;
  const difference = sum([amount, negated(past)]) ?? '0';
  return { difference, relative: magnitude(past) > 0 ? magnitude(amount) / magnitude(past) - 1 : null };
};

/** The change from the sums of the period before. Null if there is nothing to compare with. */
export const changeOf = (
  amount: string | null,
  previous: PreviousTotals | undefined,
  measure: Measure,
): Change | null => differenceOf(amount, previous === undefined ? null : centralOf(previous, measure));

/** `+$12.30 (+231 %)`. */
export const changeText = ({ difference, relative }: Change, measure: Measure): string => {
  const sign = magnitude(difference) < 0 ? '−' : '+';
  const signed = `${sign}${formatAmount(difference.replace('-', ''), measure)}`;
  if (relative === null) return signed;
  return `${signed} (${sign}${formatShare(Math.abs(relative))})`;
};
