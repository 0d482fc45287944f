import type { ModelPrice, TieredPrices } from '@pydantic/genai-prices';
import { decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import { NO_PRICES, type UnitPrices } from './priceSheet.ts';

/** Unit prices for inputs longer than `above` tokens: the price of the band applies to all tokens of the call. */
export interface ContextBand {
  readonly above: number;
  readonly prices: UnitPrices;
}

type Price = number | TieredPrices | undefined;

const startsOf = (price: Price): number[] =>
  typeof price === 'object' ? price.tiers.map((tier) => tier.start) : [];

const amountIn = (price: Price, above: number): number | undefined =>
  typeof price === 'object'
    ? (price.tiers.toSorted((a, b) => a.start - b.start).findLast((tier) => tier.start <= above)?.price ??
      price.base)
    : price;

/**
 * USD per million as a decimal string, from the shortest spelling of the number: 0.15 stays 0.15. Rounding to
 * 12 digits also removes the float noise that the catalogue contains for some resellers (0.18000000000000002).
 */
const perMillion = (price: Price, above: number, units = '1'): string | null => {
  const amount = amountIn(price, above);
  return amount === undefined ? null : toDecimalString(decimal(String(amount)).times(units));
};

/** Splits the catalogue's price entry of a model into bands of context length, shortest first. */
export const contextBands = (price: ModelPrice): readonly [ContextBand, ...ContextBand[]] => {
  const band = (above: number): ContextBand => ({
    above,
    prices: {
      ...NO_PRICES,
      input: perMillion(price['input_mtok'], above),
      cachedInput: perMillion(price['cache_read_mtok'], above),
      cacheWrite: perMillion(price['cache_write_mtok'], above),
      cacheWriteLong: perMillion(price['cache_write_1h_mtok'], above),
      output: perMillion(price['output_mtok'], above),
      reasoning: perMillion(price['output_reasoning_mtok'], above),
      request: perMillion(price['requests_kcount'], above, '1000'),
    },
  });
  const starts = [...new Set(Object.values(price).flatMap(startsOf))].sort((a, b) => a - b);
  return [band(-1), ...starts.map(band)];
};

/** Whether the entry has separate prices for audio, images, video, pages or hours. */
export const hasOtherModalities = (price: ModelPrice): boolean =>
  Object.keys(price).some((kind) => /audio|image|video|document|messages/.test(kind));

/**
 * Claude Sonnet 4 and 4.5 cost twice as much for input and 1.5 times for output above 200,000 input tokens, at Anthropic,
 * Amazon Bedrock and Vertex AI. The catalogue lists it for one of these entries only.
 * https://docs.claude.com/en/docs/about-claude/pricing#long-context-pricing
 */
const LONG_CONTEXT_MODEL = /claude-(?:sonnet-4(?:-0|-5)?|4-sonnet)(?=$|[-@:](?:20\d{6}|latest|v\d))/;
const LONG_CONTEXT_TOKENS = 200_000;

const times = (price: string | null, factor: string): string | null =>
  price === null ? null : toDecimalString(decimal(price).times(factor));

/** Adds the price of a long context to the bands of a model that has one but lists none. */
export const withLongContext = (model: string, bands: readonly ContextBand[]): readonly ContextBand[] => {
  const [only, ...others] = bands;
  if (only === undefined || others.length > 0 || !LONG_CONTEXT_MODEL.test(model)) return bands;
  const { prices } = only;
  const long = {
    ...prices,
    input: times(prices.input, '2'),
    cachedInput: times(prices.cachedInput, '2'),
    cacheWrite: times(prices.cacheWrite, '2'),
    cacheWriteLong: times(prices.cacheWriteLong, '2'),
    output: times(prices.output, '1.5'),
  };
  return [only, { above: LONG_CONTEXT_TOKENS, prices: long }];
};
