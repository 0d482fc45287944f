import type { Quantity } from '../../../schemas/ledger/rollup.ts';
import { addDecimals } from '../../platform/shared/decimal.ts';

/** Adds the ends and centres of two quantities. */
export const sumQuantities = (one: Quantity, other: Quantity): Quantity => ({
  low: addDecimals(one.low, other.low),
  central: addDecimals(one.central, other.central),
  high: addDecimals(one.high, other.high),
  unknown: one.unknown + other.unknown,
});
