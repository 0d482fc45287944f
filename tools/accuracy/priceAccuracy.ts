import { listPrices } from '../../functions/impact/price/listPrices.ts';
import file from '../../functions/impact/price/priceList.json' with { type: 'json' };

const rows = file.lists.map(
  ({ provider, source, checked, models }) =>
    `| ${provider} | ${Object.keys(models).length} | ${checked} | ${source} |`,
);

/** The section about prices: the lists in use with their sources, and the known limits. */
export const priceAccuracy = async (): Promise<string> =>
  [
    '## Prices',
    '',
    `Prices come from ${listPrices.versions[0]}, and from these lists, which correct and extend it:`,
    '',
    '| provider | models | compared on | source |',
    '|---|---|---|---|',
    ...rows,
    '',
    '- `npm run prices -- update FILE` compares the prices in use with another table and reports each difference.',
    '- A model without a published price has no cost. It is counted in `unpriced_invocations`.',
    '- Where the region or deployment type of a call is not known, the record has a range of prices.',
    '- Contract prices are known only where the tenant sets them.',
    '',
  ].join('\n');
