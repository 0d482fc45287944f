import * as z from 'zod';
import { Prices, UnitPrice } from '../../schemas/attribution/unitPrices.ts';

const Day = z.iso.date();

/** The prices of a model. `not_held`: price members of the source that the format has no kind for. */
const ListedPrice = z.strictObject({
  ...Prices.shape,
  search_high: UnitPrice.optional(),
  not_held: z.array(z.string()).optional(),
});
export type ListedPrice = z.infer<typeof ListedPrice>;

const DatedPrice = z.strictObject({ from: Day, ended: z.boolean().optional(), ...ListedPrice.shape });
export type DatedPrice = z.infer<typeof DatedPrice>;

export const PriceListEntry = z.strictObject({
  provider: z.string(),
  regions: z.array(z.string()).optional(),
  source: z.string(),
  checked: Day,
  models: z.record(z.string(), z.union([z.array(DatedPrice), ListedPrice])),
});
export type PriceListEntry = z.infer<typeof PriceListEntry>;

/**
 * The format of functions/impact/price/priceList.json. `completions` and `disagreements`: what other sources state about
 * models that the price in use knows.
 */
export const PriceListFile = z.strictObject({
  lists: z.array(PriceListEntry),
  completions: z.array(PriceListEntry).default([]),
  disagreements: z.array(PriceListEntry).default([]),
});
export type PriceListFile = z.infer<typeof PriceListFile>;
export type PriceListSection = keyof PriceListFile;

const listText = ({ models, ...place }: PriceListEntry): string => {
  const members = Object.entries(place).map(
    ([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  const lines = Object.entries(models).map(
    ([model, prices]) => `        ${JSON.stringify(model)}: ${JSON.stringify(prices)}`,
  );
  return ['    {', ...members, '      "models": {', lines.join(',\n'), '      }', '    }'].join('\n');
};

/** The text of the file with one line for each model, so that a change of prices is a readable diff. */
export const priceListText = (file: PriceListFile): string => {
  const sections = (['lists', 'completions', 'disagreements'] as const).map(
    (section) => `  "${section}": [\n${file[section].map(listText).join(',\n')}\n  ]`,
  );
  return `{\n${sections.join(',\n')}\n}\n`;
};
