import { statedSize } from '../../footprint/modelParameters.ts';
import { canonicalProvider } from '../../usage/modelIdentity.ts';
import { NO_PRICES, type PriceSheet, type PriceSource } from '../priceSheet.ts';

/** Price of a class of models: at most this many billion parameters. */
interface SizePrice {
  readonly billions: number;
  readonly price: string;
}

/**
 * Fireworks prices models without a price of their own by their size. Input and output cost the same.
 * https://fireworks.ai/pricing
 */
export const FIREWORKS_SIZES: Readonly<Record<'dense' | 'experts', readonly SizePrice[]>> = {
  dense: [
    { billions: 3.99, price: '0.1' },
    { billions: 16, price: '0.2' },
    { billions: 100, price: '0.9' },
  ],
  experts: [
    { billions: 56, price: '0.5' },
    { billions: 176, price: '1.2' },
  ],
};
export const FIREWORKS_VERSION = 'fireworks-sizes-2026.11';
const FREE_VARIANTS_VERSION = 'free-variants-2026.11';

/** Prices of Fireworks by size, for models whose size is published or part of the name. */
export const fireworksSizePrices: PriceSource = {
  find(provider, model) {
    if (provider !== 'fireworks' || /flux|embedding|rerank|fast$|spot$|latest$/.test(model)) return null;
    const size = statedSize(model.replace(/(?<=\d)p(?=\d)/g, '.'));
    if (size === null) return null;
    const classes = size.active.max === size.total.max ? FIREWORKS_SIZES.dense : FIREWORKS_SIZES.experts;
    const price = classes.find(({ billions }) => Number(size.total.max) <= billions)?.price;
    if (price === undefined) return null;
    return {
      ...NO_PRICES,
      input: price,
      output: price,
      source: 'override',
      catalogue: FIREWORKS_VERSION,
      match: 'family',
      pricedModel: model,
      otherModalities: false,
      aboveTokens: -1,
      tiers: {},
    } satisfies PriceSheet;
  },
};

/**
 * Variants that cost nothing, whatever model they are of: https://openrouter.ai/docs/guides/routing/model-variants/free,
 * https://docs.together.ai/docs/serverless-models
 */
const FREE: ReadonlyMap<string, string> = new Map([
  ['openrouter', ':free'],
  ['together', '-free'],
]);

export const freeVariants: PriceSource = {
  find(provider, model) {
    const suffix = FREE.get(provider);
    if (suffix === undefined || !model.endsWith(suffix)) return null;
    return {
      ...NO_PRICES,
      input: '0',
      output: '0',
      source: 'override',
      catalogue: FREE_VARIANTS_VERSION,
      match: 'exact',
      pricedModel: model,
      otherModalities: false,
      aboveTokens: -1,
      tiers: {},
    } satisfies PriceSheet;
  },
};

/**
 * Ids under which these hosts serve models of others at the list price of the vendor, or of the host behind them, with vendor
 * and model as groups. Hugging Face: https://huggingface.co/docs/inference-providers/pricing. Vercel: https://vercel.com/docs/ai-gateway/pricing. Databricks:
 * https://www.databricks.com/product/pricing/proprietary-foundation-model-serving
 */
export const VENDOR_PRICED: ReadonlyMap<string, RegExp> = new Map([
  ['huggingface', /^(?<model>.+):(?<vendor>[a-z-]+)$/],
  ['vercel', /^(?<vendor>[^/]+)\/(?<model>.+)$/],
  ['databricks', /^databricks-(?<model>(?<vendor>claude|gpt|gemini)-.+)$/],
]);
const VENDOR_OF_FAMILY: ReadonlyMap<string, string> = new Map([
  ['claude', 'anthropic'],
  ['gpt', 'openai'],
  ['gemini', 'google'],
]);

/** Adds the prices of hosts that charge the vendor's list price. */
export const gatewayPrices = (prices: PriceSource): PriceSource => ({
  find(provider, model, at, contextTokens, region) {
    const own = prices.find(provider, model, at, contextTokens, region);
    const { vendor, model: name } = (own === null && VENDOR_PRICED.get(provider)?.exec(model)?.groups) || {};
    if (vendor === undefined || name === undefined) return own;
    // Databricks spells `gpt-5-1` and `gemini-2-5-pro`.
    const spelled = provider === 'databricks' ? name.replace(/^((?:gpt|gemini)-\d)-(?=\d)/, '$1.') : name;
    const sheet = prices.find(
      VENDOR_OF_FAMILY.get(vendor) ?? canonicalProvider(vendor),
      spelled,
      at,
      contextTokens,
      region,
    );
    return sheet && { ...sheet, match: sheet.match === 'family' ? 'family' : 'alias' };
  },
});
