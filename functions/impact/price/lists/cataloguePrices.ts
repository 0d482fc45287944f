import type { ModelPrice, TieredPrices } from '@pydantic/genai-prices';
import type { KindPrices, PricedKind, Prices } from '../../../../schemas/attribution/unitPrices.ts';
import { decimal, toDecimalString } from '../../../platform/shared/decimal.ts';

type Price = number | TieredPrices | undefined;

/**
 * Where the catalogue has the price of each kind. It prices a million tokens, an hour of audio, and a thousand requests,
 * searches or pages.
 */
export const CATALOGUE_KINDS: Readonly<Partial<Record<PricedKind, string>>> = {
  input: 'input_mtok',
  cached_input: 'cache_read_mtok',
  cache_write: 'cache_write_mtok',
  cache_write_1h: 'cache_write_1h_mtok',
  output: 'output_mtok',
  reasoning: 'output_reasoning_mtok',
  audio_input: 'input_audio_mtok',
  cached_audio_input: 'cache_audio_read_mtok',
  audio_output: 'output_audio_mtok',
  image_input: 'input_image_mtok',
  cached_image_input: 'cache_image_read_mtok',
  image_output: 'output_image_mtok',
  request: 'requests_kcount',
  search: 'web_searches_kcount',
  file_search: 'storage_searches_kcount',
  code_execution: 'code_executions_kcount',
  rerank_search: 'rerank_searches_kcount',
  audio_second: 'input_audio_hours',
  page: 'input_document_kpages',
};

/**
 * Tables differ on whether a call of exactly the limit pays the long-context price. OpenAI charges it for more than
 * 272,000 input tokens (https://platform.openai.com/docs/pricing), xAI from 200,000 on (https://docs.x.ai/docs/models).
 */
export const bandStart = (provider: string, start: number): number => {
  if (start === 271_999) return 272_000;
  return provider === 'x-ai' && start === 200_000 ? 199_999 : start;
};

const startsOf = (price: Price): number[] =>
  typeof price === 'object' ? price.tiers.map(({ start }) => start) : [];

const amountIn = (price: Price, above: number): number | undefined =>
  typeof price === 'object'
    ? (price.tiers.toSorted((a, b) => a.start - b.start).findLast(({ start }) => start <= above)?.price ??
      price.base)
    : price;

/**
 * USD per million as a decimal string, from the shortest spelling of the number: 0.15 stays 0.15. Rounding to
 * 12 digits also removes the float noise that the catalogue contains for some resellers (0.18000000000000002).
 */
const perMillion = (amount: number, name: string): string => {
  const price = decimal(String(amount));
  if (name.endsWith('_hours')) return toDecimalString(price.times('1000000').div('3600'));
  return toDecimalString(/_k(?:count|pages)$/.test(name) ? price.times('1000') : price);
};

const kindPricesIn = (price: ModelPrice, above: number): KindPrices =>
  Object.fromEntries(
    Object.entries(CATALOGUE_KINDS).flatMap(([kind, name]) => {
      const amount = amountIn(price[name], above);
      return amount === undefined ? [] : [[kind, perMillion(amount, name)]];
    }),
  );

/** The catalogue's price entry of a provider's model in the format of the price lists. */
export const cataloguePricesOf = (provider: string, price: ModelPrice): Prices => {
  const starts = [...new Set(Object.values(price).flatMap(startsOf))].sort((a, b) => a - b);
  return {
    ...kindPricesIn(price, -1),
    ...(starts.length > 0 && {
      bands: starts.map((start) => ({
        above_tokens: bandStart(provider, start),
        ...kindPricesIn(price, start),
      })),
    }),
  };
};

/** Whether the entry has separate prices for audio, images, video, pages or hours. */
export const hasOtherModalities = (price: ModelPrice): boolean =>
  Object.keys(price).some((kind) => /audio|image|video|document|messages/.test(kind));
