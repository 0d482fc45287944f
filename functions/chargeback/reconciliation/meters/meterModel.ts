/**
 * Bills of clouds name their charges by ids (`DZH318Z09V7F/0020`, `F3A6-D7B7-9BDA`), and say the model in the name of the meter
 * only:
 *
 *   Azure    gpt 4o 0513 Input global Tokens, GPT 5 outpt Glbl 1M Tokens, 5.4 inp Gl 1M Tokens
 *   Google   Gemini 2.5 Flash Text Input - Predictions, Generate content input token count gemini 2.5 pro
 *
 * The words of a meter are in a closed list. What is left of a name without them is the id of the model, word by word. A name
 * that is no family of models has no model: a wrong one would move costs to another model.
 */

/** Words of the kind of tokens, their route and their unit. */
const METER_WORDS: ReadonlySet<string> = new Set(
  [
    'input in inp inpt output out outp outpt opt cached cache caching cchd cd read write writes hit hits',
    'batch flex priority prty long short context ctx shortco longco thinking reasoning',
    'global glbl gl regional region regnl rgnl data zone datazone dzone dz',
    'token tokens text txt count 1m 1k per predictions prediction generate content non online for of az azure openai',
  ].flatMap((words) => words.split(' ')),
);

/** The first word of a family of models, or the whole name of one. */
const FAMILY =
  /^(?:gpt|chatgpt|o\d|codex|embedding|claude|gemini|gemma|imagen|veo|llama|phi|mistral|ministral|mixtral|codestral|magistral|pixtral|devstral|deepseek|grok|cohere|command|jamba|kimi|qwen\d*|glm)$/;
/** The month and day of a snapshot at Azure: `0513`. */
const SNAPSHOT = /^[01]\d[0-3]\d$/;
/** The size of a context window that ids of models do not have. */
const WINDOW = /^128k$/;
/** At Google, `Gemini 2.5 Flash Image Input` can be images sent to one model, or the text sent to another. */
const MODALITY = /^(?:image|audio|video|speech)$/;
/** Azure leaves out the family of the newest models of OpenAI: `5.4 inp Gl 1M Tokens`. */
const BARE_GENERATION = /^\d\.\d$/;

/** `gpt-4o-mini-0718-Input-Data Zone Tokens` and `gpt 4o mini 0718 Inp Data Zone Tokens` have the same words. */
const wordsOf = (meter: string): string[] => meter.toLowerCase().match(/[a-z0-9]+(?:\.\d+)*[a-z]*/g) ?? [];

/** `text embedding 3 large` is the only family whose first word is one of meters. */
const isEmbedding = (words: readonly string[], index: number): boolean =>
  words[index] === 'text' && words[index + 1] === 'embedding';

/** The id of the model that the name of a meter says. Null if it says none. */
export const modelOfMeter = (provider: string, meter: string): string | null => {
  const words = wordsOf(meter).filter(
    (word, index, all) => !METER_WORDS.has(word) || isEmbedding(all, index),
  );
  const named = words.filter((word) => !SNAPSHOT.test(word) && !WINDOW.test(word));
  const [first = ''] = named;
  if (provider === 'azure' && BARE_GENERATION.test(first)) return ['gpt', ...named].join('-');
  if (provider === 'google' && named.some((word) => MODALITY.test(word))) return null;
  const isModel = FAMILY.test(first) || (first === 'text' && named[1] === 'embedding');
  return isModel ? named.join('-') : null;
};
