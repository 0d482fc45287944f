import { listPrices } from '../../functions/impact/price/lists/listPrices.ts';
import file from '../../functions/impact/price/lists/priceList.json' with { type: 'json' };
import type { PriceList } from '../../schemas/attribution/publishedPrices.ts';

const sections: readonly (readonly [use: string, lists: readonly PriceList[]])[] = [
  ['prices', file.lists],
  ['completions', file.completions],
  ['disagreements', file.disagreements],
];

const rows = sections.flatMap(([use, lists]) =>
  [...Map.groupBy(lists, ({ source, checked }) => `${checked} | ${source}`)].map(([source, group]) => {
    const models = group.reduce((sum, list) => sum + Object.keys(list.models).length, 0);
    const providers = [...new Set(group.map(({ provider }) => provider))].join(', ');
    return `| ${use} | ${models} | ${source} | ${providers} |`;
  }),
);

const { rules } = listPrices;

/** The section about prices: the lists in use with their sources, and the known limits. */
export const priceAccuracy = async (): Promise<string> =>
  [
    '## Prices',
    '',
    `Prices come from ${listPrices.versions[0]}, and from these lists, which correct and extend it. Completions add kinds of`,
    'tokens, bands of context and tiers that the price in use lacks. Where sources disagree, the record has a range over both',
    'prices.',
    '',
    '| use | models | compared on | source | providers |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '- `npm run prices -- update FILE` compares the prices in use with another table in all kinds, bands and tiers, and fails',
    '  on prices that it cannot hold.',
    '- A model without a published price has no cost. It is counted in `unpriced_invocations`.',
    '- Where the region or deployment type of a call is not known, the record has a range of prices.',
    `- ${rules.tiers.length} rules state multipliers of service tiers, ${rules.places.length} those of places, and ${rules.models.length} prices of a vendor's models.`,
    '- Seconds, images, pages and rerank searches have a price where a list states one. Provisioned throughput has none.',
    '- Contract prices are known only where the tenant sets them.',
    '',
  ].join('\n');
