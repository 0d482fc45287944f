import * as z from 'zod';
import { AliasList, DatedPriceList, MultiplierRule } from './publishedPrices.ts';

const DatedRule = MultiplierRule.extend({ from: z.iso.date() });

/** Published prices that an operator loads into a running stack. Each has the day from which it applies. */
export const PriceLoad = z.strictObject({
  /** Prices by provider, region and model, as in the price lists of the service. */
  lists: z.array(DatedPriceList).default([]),
  /** Multipliers of service tiers, and of places where data stay. The first rule about a call decides. */
  tiers: z.array(DatedRule).default([]),
  places: z.array(DatedRule).default([]),
  /** Which model an alias names, from a day on. */
  aliases: z.array(AliasList).default([]),
});
export type PriceLoad = z.infer<typeof PriceLoad>;

/** Names a load by its day and by a digest of it and all before it. Records name it as their price list. */
const LoadVersion = z.string().regex(/^loaded-\d{4}-\d{2}-\d{2}-[\da-f]{12}$/);

/** All loads of a stack, oldest first. Objects are never changed: each load writes a new one, named by its newest load. */
export const PriceObject = z.strictObject({
  loads: z
    .array(z.strictObject({ version: LoadVersion, loaded_at: z.iso.datetime(), prices: PriceLoad }))
    .min(1),
});
export type PriceObject = z.infer<typeof PriceObject>;
