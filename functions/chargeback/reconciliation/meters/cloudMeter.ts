import type { TokenKind } from '../../../../schemas/chargeback/suggestedPrices.ts';
import type { MeterReading } from './meterReading.ts';
import {
  CACHED,
  FINE_TUNED,
  INPUT,
  isMeterWord,
  MEDIA,
  OTHER_CHARGES,
  OUTPUT,
  TIERS,
  WITHOUT_CALLS,
  WRITTEN,
} from './meterWords.ts';

/**
 * Bills of clouds name their charges by ids (`DZH318Z09V7F/0020`, `F3A6-D7B7-9BDA`), and say model, kind of tokens and tier in the
 * name of the meter only:
 *
 *   Azure    gpt 4o 0513 Input global Tokens, GPT 5 Batch cchd Inpt Glbl 1M Tokens, 5.4 inp Gl 1M Tokens
 *   Google   Gemini 2.5 Flash Text Input - Predictions, Generate content input token count gemini 2.5 pro
 *
 * The words of a meter are in a closed list. What is left of a name without them is the id of the model, word by word. A name
 * that is no family of models has no model: a wrong one would move costs to another model.
 */

/** The first word of a family of models, or the whole name of one. */
const FAMILY =
  /^(?:gpt|chatgpt|o\d|codex|embedding|claude|gemini|gemma|imagen|veo|llama|phi|mistral|ministral|mixtral|codestral|magistral|pixtral|devstral|deepseek|grok|cohere|command|jamba|kimi|qwen\d*|glm)$/;
/** The month and day of a snapshot at Azure: `0513`. */
const SNAPSHOT = /^[01]\d[0-3]\d$/;
/** The size of a context window that ids of models do not have. */
const WINDOW = /^128k$/;
/** Azure leaves out the family, which is in the product: `V4 Flash`, `4.6`, `K2.5`. */
const BARE_VERSION = /^[a-z]?\d+(?:\.\d+)?$/;
/** Without a product, only generations that no other vendor has. */
const GPT_GENERATION = /^5\.\d$/;
/** Families in products of Azure: `Azure Grok Models`, `Azure OpenAI GPT5`. */
const PRODUCT_FAMILY = /\b(deepseek|grok|kimi|llama|gpt)\d*\b/i;

/** `gpt-4o-mini-0718-Input-Data Zone Tokens` and `gpt 4o mini 0718 Inp Data Zone Tokens` have the same words. */
const wordsOf = (meter: string): string[] => meter.toLowerCase().match(/[a-z0-9]+(?:\.\d+)*[a-z]*/g) ?? [];

/** `text embedding 3 large` is the only family whose first word is one of meters. */
const isEmbedding = (words: readonly string[], index: number): boolean =>
  words[index] === 'text' && words[index + 1] === 'embedding';

const familyOf = (version: string, product: string | null): string | null => {
  if (!BARE_VERSION.test(version)) return null;
  const family = PRODUCT_FAMILY.exec(product ?? '')?.[1]?.toLowerCase();
  return family ?? (product === null && GPT_GENERATION.test(version) ? 'gpt' : null);
};

const modelIn = (provider: string, words: readonly string[], product: string | null): string | null => {
  if (words.some((word) => WITHOUT_CALLS.has(word))) return null;
  // `Gemini 2.5 Flash Image Input` can be images sent to one model, or the text sent to another.
  if (provider === 'google' && words.some((word) => MEDIA.has(word))) return null;
  const named = words
    .filter((word, index) => !isMeterWord(word) || isEmbedding(words, index))
    .filter((word) => !SNAPSHOT.test(word) && !WINDOW.test(word));
  const [first = ''] = named;
  if (FAMILY.test(first) || (first === 'text' && named[1] === 'embedding')) return named.join('-');
  const family = provider === 'azure' ? familyOf(first, product) : null;
  return family === null ? null : [family, ...named].join('-');
};

const NO_TOKENS: readonly ReadonlySet<string>[] = [MEDIA, OTHER_CHARGES, FINE_TUNED, WITHOUT_CALLS];

const kindIn = (words: readonly string[]): TokenKind | null => {
  if (words.some((word) => NO_TOKENS.some((others) => others.has(word)))) return null;
  // The first one counts: `output token count gemini 2.5 flash short input text` is output after a short input.
  const direction = words.find((word) => INPUT.has(word) || OUTPUT.has(word));
  const isCached = words.some((word) => CACHED.has(word));
  if (direction !== undefined && OUTPUT.has(direction)) return isCached ? null : 'output';
  if (isCached) return words.some((word) => WRITTEN.has(word)) ? 'cache_write' : 'cached_input';
  return direction !== undefined || words.includes('embedding') ? 'input' : null;
};

/** Reads a meter of Azure or Google. `product` is the subcategory of the meter at Azure. */
export const readCloudMeter = (provider: string, meter: string, product: string | null): MeterReading => {
  const words = wordsOf(meter);
  const tiers = new Set(words.flatMap((word) => TIERS.get(word) ?? []));
  return {
    model: modelIn(provider, words, product),
    kind: kindIn(words),
    tier: tiers.size === 0 ? null : [...tiers].join(' '),
  };
};
