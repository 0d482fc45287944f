import * as z from 'zod';
import { label, Timestamp } from '../values.ts';

/**
 * A price per million. Its six fractional digits make a token cost whole picos of a dollar, so that quantity times unit
 * price is exact; its nine others keep the cost of the longest call, at the dearest tier, inside what a record can hold.
 */
const UnitPrice = z
  .string()
  .regex(
    /^(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$/,
    'must be a non-negative decimal string with at most 9 digits before the point and 6 behind it',
  );

/** USD per million tokens (per million requests for `request`), from an instant on. */
export const ContractPrice = z.strictObject({
  provider: label(128),
  /**
   * An id, or the beginning of ids with a `*` at its end. An id covers its snapshots (`gpt-4o` also
   * `gpt-4o-2024-08-06`), since those are what providers say has answered; a snapshot's own price comes before.
   */
  model: label(256),
  from: Timestamp,
  input: UnitPrice.optional(),
  cached_input: UnitPrice.optional(),
  cache_write: UnitPrice.optional(),
  output: UnitPrice.optional(),
  reasoning: UnitPrice.optional(),
  request: UnitPrice.optional(),
});
export type ContractPrice = z.infer<typeof ContractPrice>;

const ENTRIES_MAXIMUM = 500;

/** What a tenant agreed with its providers. A kind without a price is charged as the kind it is a part of. */
export const ContractPrices = z.array(ContractPrice).max(ENTRIES_MAXIMUM);
export type ContractPrices = z.infer<typeof ContractPrices>;
