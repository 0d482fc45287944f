import * as z from 'zod';
import { PriceList } from '../../schemas/attribution/publishedPrices.ts';

/**
 * The format of functions/impact/price/lists/priceList.json. `completions` and `disagreements`: what other sources state about
 * models that the price in use knows.
 */
export const PriceListFile = z.strictObject({
  lists: z.array(PriceList),
  completions: z.array(PriceList).default([]),
  disagreements: z.array(PriceList).default([]),
});
export type PriceListFile = z.infer<typeof PriceListFile>;
export type PriceListSection = keyof PriceListFile;

const listText = ({ models, ...place }: PriceList): string => {
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
