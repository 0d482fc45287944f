import { formatUsd } from '../../delivery/notifications/text/formatText.ts';
import { decimal } from '../../platform/shared/decimal.ts';

const ZERO = decimal('0');

/** An amount that is between two ends. Null: the cost of all its calls is unknown or hidden. */
export const rangeText = (low: string | null, high: string | null): string => {
  if (high === null) return 'unknown';
  const [least, most] = [formatUsd(low ?? '0'), formatUsd(high)];
  return least === most ? least : `${least} to ${most}`;
};

/** A difference with its sign. */
export const changeText = (difference: string): string => {
  const change = decimal(difference);
  if (change.eq(ZERO)) return 'no change';
  return `${change.lt(ZERO) ? '−' : '+'}${formatUsd(change.abs().toFixed())}`;
};
