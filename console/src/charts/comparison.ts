import type { Change } from '../../../sdk/shared/comparison.ts';
import { magnitude } from '../../../sdk/shared/decimal.ts';
import { formatAmount, formatShare, type Measure } from '../format/amount.ts';

/** `+$12.30 (+231 %)`. */
export const changeText = ({ difference, relative }: Change, measure: Measure): string => {
  const sign = magnitude(difference) < 0 ? '−' : '+';
  const signed = `${sign}${formatAmount(difference.replace('-', ''), measure)}`;
  if (relative === null) return signed;
  return `${signed} (${sign}${formatShare(Math.abs(relative))})`;
};
