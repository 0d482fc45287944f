import * as z from 'zod';

const Day = z.iso.date();
/** Input, output, cache read and cache write in USD per million tokens; empty where the catalogue applies again. */
const PriceText = z.string().regex(/^(?:\d+(?:\.\d{1,6})?(?: (?:\d+(?:\.\d{1,6})?|-)){0,3})?$/);

export const PriceListEntry = z.strictObject({
  provider: z.string(),
  regions: z.array(z.string()).optional(),
  source: z.string(),
  checked: Day,
  models: z.record(z.string(), z.union([PriceText, z.record(Day, PriceText)])),
});
export type PriceListEntry = z.infer<typeof PriceListEntry>;

/** The format of functions/impact/price/priceList.json. */
export const PriceListFile = z.strictObject({ lists: z.array(PriceListEntry) });
export type PriceListFile = z.infer<typeof PriceListFile>;
