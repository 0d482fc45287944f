import type { PricedKind, PricedTier } from '../../../schemas/attribution/unitPrices.ts';
import { ExactNumber, integerOf, memberOf, membersOf, textOf } from './exactNumbers.ts';
import { PriceCollector, type TablePrice, TOKENS, tablePriceOf } from './tablePrice.ts';

/** USD for one token, or one request. */
const KINDS: ReadonlyMap<string, PricedKind> = new Map([
  ['input_cost_per_token', 'input'],
  ['output_cost_per_token', 'output'],
  ['cache_read_input_token_cost', 'cached_input'],
  ['input_cost_per_token_cache_hit', 'cached_input'],
  ['cache_creation_input_token_cost', 'cache_write'],
  ['cache_creation_input_token_cost_above_1hr', 'cache_write_1h'],
  ['output_cost_per_reasoning_token', 'reasoning'],
  ['input_cost_per_audio_token', 'audio_input'],
  ['cache_read_input_audio_token_cost', 'cached_audio_input'],
  ['output_cost_per_audio_token', 'audio_output'],
  ['input_cost_per_image_token', 'image_input'],
  ['cache_read_input_image_token_cost', 'cached_image_input'],
  ['output_cost_per_image_token', 'image_output'],
  ['input_cost_per_request', 'request'],
]);
/** USD for one unit, in modes whose calls are sold so. */
const UNITS: ReadonlyMap<string | undefined, ReadonlyMap<string, PricedKind>> = new Map<
  string | undefined,
  ReadonlyMap<string, PricedKind>
>([
  ['rerank', new Map([['input_cost_per_query', 'rerank_search']])],
  ['audio_speech', new Map([['input_cost_per_character', 'character']])],
  ['audio_transcription', new Map([['input_cost_per_second', 'audio_second']])],
  ['ocr', new Map([['ocr_cost_per_page', 'page']])],
  ['image_generation', new Map([['output_cost_per_image', 'image']])],
  [
    'video_generation',
    new Map([
      ['output_cost_per_second', 'video_second'],
      ['output_cost_per_video_per_second', 'video_second'],
    ]),
  ],
]);
const TIERS: ReadonlyMap<string, PricedTier> = new Map([
  ['batches', 'batch'],
  ['flex', 'flex'],
  ['priority', 'priority'],
]);

/** `cache_creation_input_token_cost_above_1hr_above_200k_tokens`, `input_cost_per_token_above_272k_tokens_priority`. */
const MEMBER = /^(?<base>.+?)(?:_above_(?<thousands>\d+)k_tokens)?(?:_(?<tier>batches|flex|priority))?$/;

/** A member with this in its name states a price. All others describe the model. */
const PRICE = /cost|price|pricing|multiplier|uplift|provider_specific_entry/;

/** Modes whose tokens are text. In other modes, a price for text tokens alone is not the price of a call. */
const TEXT_MODES: ReadonlySet<string | undefined> = new Set(['chat', 'completion', 'responses', 'embedding']);
const MEDIA_TOKENS = /_(?:audio|image)_token/;

const addPrice = (
  collector: PriceCollector,
  name: string,
  value: unknown,
  mode: string | undefined,
): void => {
  const { base = '', thousands, tier } = MEMBER.exec(name)?.groups ?? {};
  const kind = KINDS.get(base) ?? UNITS.get(mode)?.get(base);
  if (kind === undefined || !(value instanceof ExactNumber)) {
    collector.leaveOut(name);
    return;
  }
  collector.add(name, value, TOKENS, {
    kind,
    tier: tier === undefined ? undefined : TIERS.get(tier),
    above: thousands === undefined ? undefined : Number(thousands) * 1_000,
  });
};

/** `[{ range: [0, 256000], input_cost_per_token: … }, …]` */
const addRanges = (collector: PriceCollector, name: string, ranges: unknown): void => {
  for (const range of Array.isArray(ranges) ? ranges : []) {
    const bounds = memberOf(range, 'range');
    const start = Array.isArray(bounds) ? integerOf(bounds[0]) : undefined;
    for (const [member, value] of membersOf(range)) {
      if (member === 'range') continue;
      const kind = KINDS.get(member);
      if (start === undefined || kind === undefined || !(value instanceof ExactNumber)) {
        collector.leaveOut(`${name}.${member}`);
      } else {
        collector.add(name, value, TOKENS, { kind, above: start === 0 ? undefined : start });
      }
    }
  }
};

/** A price by size of the search context. Perplexity charges it for each request of its search models. */
const addSearch = (collector: PriceCollector, name: string, model: string, sizes: unknown): void => {
  const [low, high] = ['low', 'high'].map((size) => memberOf(sizes, `search_context_size_${size}`));
  if (!(low instanceof ExactNumber && high instanceof ExactNumber)) {
    collector.leaveOut(name);
    return;
  }
  const isFee = /^perplexity\/.*sonar(?!.*deep-research)/.test(model);
  collector.add(name, low, TOKENS, { kind: isFee ? 'request' : 'search' });
  if (!isFee) collector.addHighestSearch(name, high, TOKENS);
};

/** https://github.com/BerriAI/litellm, model_prices_and_context_window.json: USD per token, by model. */
export const fromLiteLlm = (table: unknown): TablePrice[] =>
  membersOf(table).flatMap(([model, entry]) => {
    const provider = textOf(entry, 'litellm_provider');
    const members = membersOf(entry).filter(([name]) => PRICE.test(name));
    const mode = textOf(entry, 'mode');
    const units = UNITS.get(mode);
    const isPriced = ([name]: readonly [string, unknown]) =>
      MEDIA_TOKENS.test(name) || units?.has(name) === true;
    if (provider === undefined || model === 'sample_spec') return [];
    if (!TEXT_MODES.has(mode) && !members.some(isPriced)) return [];
    const collector = new PriceCollector();
    for (const [name, value] of members) {
      if (name === 'tiered_pricing') addRanges(collector, name, value);
      else if (name === 'search_context_cost_per_query') addSearch(collector, name, model, value);
      else addPrice(collector, name, value, mode);
    }
    return tablePriceOf(provider, model, collector);
  });
