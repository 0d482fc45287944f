import { magnitude } from '../../../../sdk/shared/decimal.ts';
import { formatUsd } from '../../format/amount.ts';

/** Half of the last digit that is shown. Bills and records are rounded to more digits, so less than it is no difference. */
const ROUNDING = 0.000_000_5;

/** Whether two amounts differ by nothing, or by their rounding only. */
export const isRounding = (difference: string): boolean => Math.abs(magnitude(difference)) < ROUNDING;

export const differenceText = (difference: string): string =>
  magnitude(difference) !== 0 && isRounding(difference) ? 'rounding' : formatUsd(difference);
