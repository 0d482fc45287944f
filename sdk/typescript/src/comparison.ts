import { magnitude, sum } from './decimal.ts';
import type { UsageReport } from './types.ts';

export interface Change {
  /** In the unit of the amount, with its sign. */
  readonly difference: string;
  /** Null if there was nothing before. */
  readonly relative: number | null;
}

const negated = (amount: string): string => (magnitude(amount) === 0 ? amount : `-${amount}`);

/**
 * The change from an amount of the period before. Null if one of them is unknown, or if the tenant did not send calls throughout
 * that period: one that began within it would show a growth that is none. The report compares equal parts of both periods.
 * `isPartHidden`: whether suppression hides calls that may belong to the group. Then an amount of zero is not known to be zero.
 */
export const changeSince = (
  { previous }: Pick<UsageReport, 'previous'>,
  amount: string | null,
  past: string | null | undefined,
  isPartHidden = false,
): Change | null => {
  if (previous?.complete !== true || amount === null || past === null || past === undefined) return null;
  if (isPartHidden && (magnitude(amount) === 0 || magnitude(past) === 0)) return null;
  const difference = sum([amount, negated(past)]) ?? '0';
  return { difference, relative: magnitude(past) > 0 ? magnitude(amount) / magnitude(past) - 1 : null };
};
