import * as z from 'zod';
import { BillingMode } from '../ingest/invocationEvent.ts';
import { label, Timestamp } from '../values.ts';
import { Prices } from './unitPrices.ts';

/** Prices in USD per million tokens (per million requests or searches for `request` and `search`), valid from an instant. */
const Entry = z.strictObject({
  provider: label(128),
  /**
   * A model id, or a prefix that ends in `*`. An id also covers its snapshots (`gpt-4o` covers `gpt-4o-2024-08-06`),
   * because providers report the snapshot as the served model. A price for the snapshot itself takes precedence.
   */
  model: label(256),
  from: Timestamp,
  /** Cloud region of the calls. Without one, the price applies in every region that has no price of its own. */
  region: label(64).optional(),
  /** The price applies to calls that are paid in this way only. Without one it applies to metered calls. */
  billing_mode: BillingMode.optional(),
  ...Prices.shape,
  /** Where the price is agreed, such as a contract and its section. */
  source: label(256).optional(),
});
export const ContractPrice = Entry.meta({ id: 'ContractPrice' });
export type ContractPrice = z.infer<typeof ContractPrice>;

export const CONTRACT_PRICES_MAXIMUM = 500;

/** The prices a tenant agreed with its providers. A kind without a price uses the price of the kind that contains it. */
export const ContractPrices = z.array(ContractPrice).max(CONTRACT_PRICES_MAXIMUM);
export type ContractPrices = z.infer<typeof ContractPrices>;
