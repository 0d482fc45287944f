import { NO_PRICES, type PriceSheet, type PriceSource, type UnitPrices } from './priceSheet.ts';

/** Version of the table below: change it with every edit, so that each record names the prices it used. */
export const PRICE_OVERRIDES_VERSION = 'overrides-2026.11';

/** Prices from this day at 00:00 UTC until the next entry of the same model. */
interface DatedPrices extends Partial<UnitPrices> {
  readonly from: string;
  /** Day from which the price catalogue applies again. */
  readonly until?: string;
}

interface PriceOverride {
  readonly provider: string;
  readonly models: readonly string[];
  /** The model to which the id refers. Default: the id itself. */
  readonly pricedModel?: string;
  readonly prices: readonly DatedPrices[];
}

/** https://api-docs.deepseek.com/quick_start/pricing and its news archive; the catalogue was last checked in July 2025. */
const DEEPSEEK_CHAT: readonly DatedPrices[] = [
  { from: '2025-09-05', input: '0.56', cachedInput: '0.07', output: '1.68' },
  { from: '2025-09-29', input: '0.28', cachedInput: '0.028', output: '0.42' },
  // Both names became aliases of deepseek-v4-flash, and ended on 24 July 2026.
  { from: '2026-04-24', input: '0.14', cachedInput: '0.0028', output: '0.28' },
];

/** Before its peak hours began, the catalogue's time-of-day prices must not apply. */
const BEFORE_PEAK_HOURS = { from: '2026-04-24', until: '2026-08-17' };

export const PRICE_OVERRIDES: readonly PriceOverride[] = [
  { provider: 'deepseek', models: ['deepseek-chat', 'deepseek-reasoner'], prices: DEEPSEEK_CHAT },
  {
    provider: 'deepseek',
    models: ['deepseek-v4-flash'],
    prices: [{ ...BEFORE_PEAK_HOURS, input: '0.14', cachedInput: '0.0028', output: '0.28' }],
  },
  {
    provider: 'deepseek',
    models: ['deepseek-v4-pro'],
    prices: [{ ...BEFORE_PEAK_HOURS, input: '0.435', cachedInput: '0.003625', output: '0.87' }],
  },
  // Moving aliases whose catalogue entry stayed with an older generation: https://docs.mistral.ai/models
  {
    provider: 'mistral',
    models: ['mistral-large-latest'],
    pricedModel: 'mistral-large-2512',
    prices: [{ from: '2025-12-02', input: '0.5', cachedInput: '0.05', output: '1.5' }],
  },
  {
    provider: 'mistral',
    models: ['mistral-small-latest'],
    pricedModel: 'mistral-small-2603',
    prices: [{ from: '2026-03-16', input: '0.15', cachedInput: '0.015', output: '0.6' }],
  },
  // https://aws.amazon.com/bedrock/pricing; the catalogue prices v2 as v1 and does not know the other two.
  {
    provider: 'aws',
    models: ['amazon.titan-embed-text-v2:0'],
    prices: [{ from: '2024-04-30', input: '0.02' }],
  },
  {
    provider: 'aws',
    models: ['mistral.mistral-large-2407-v1:0'],
    prices: [{ from: '2024-07-24', input: '2', output: '6' }],
  },
  {
    provider: 'aws',
    models: ['cohere.embed-english-v3', 'cohere.embed-multilingual-v3'],
    prices: [{ from: '2023-11-29', input: '0.1' }],
  },
];

const sheetOf = (override: PriceOverride, model: string, prices: DatedPrices): PriceSheet => {
  const { from: _from, until: _until, ...unitPrices } = prices;
  return {
    ...NO_PRICES,
    ...unitPrices,
    source: 'override',
    catalogue: PRICE_OVERRIDES_VERSION,
    match: override.pricedModel === undefined ? 'exact' : 'alias',
    pricedModel: override.pricedModel ?? model,
    otherModalities: false,
  };
};

interface DatedSheet {
  readonly from: number;
  readonly until: number;
  readonly sheet: PriceSheet;
}

const SHEETS: ReadonlyMap<string, readonly DatedSheet[]> = new Map(
  PRICE_OVERRIDES.flatMap((override) =>
    override.models.map((model) => [
      `${override.provider}/${model}`,
      override.prices.map((prices) => ({
        from: Date.parse(prices.from),
        until: prices.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(prices.until),
        sheet: sheetOf(override, model, prices),
      })),
    ]),
  ),
);

/** Our own prices for ids the catalogue does not know or has wrong. Not a second catalogue: keep it short. */
export const overridePriceSource: PriceSource = {
  find(provider, model, at) {
    const time = at.getTime();
    const dated = SHEETS.get(`${provider}/${model}`)?.findLast((entry) => time >= entry.from);
    return dated !== undefined && time < dated.until ? dated.sheet : null;
  },
};
