import * as z from 'zod';
import { DecimalString, label, Timestamp } from './values.ts';

/** USD per million tokens (per million requests for `request`), from an instant on. */
export const ContractPrice = z.strictObject({
  provider: label(128),
  /** An id, or the beginning of ids with a `*` at its end. */
  model: label(256),
  from: Timestamp,
  input: DecimalString.optional(),
  cached_input: DecimalString.optional(),
  cache_write: DecimalString.optional(),
  output: DecimalString.optional(),
  reasoning: DecimalString.optional(),
  request: DecimalString.optional(),
});
export type ContractPrice = z.infer<typeof ContractPrice>;

const ENTRIES_MAXIMUM = 500;

/** What a tenant agreed with its providers. A kind without a price is charged as the kind it is a part of. */
export const ContractPrices = z.array(ContractPrice).max(ENTRIES_MAXIMUM);
export type ContractPrices = z.infer<typeof ContractPrices>;
