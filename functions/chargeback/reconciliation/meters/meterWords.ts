/**
 * The words of the meters of Azure and Google, read in November 2026 from the Retail Prices API of Azure, the SKU groups of Google
 * Cloud, and public programs that read their bills.
 */
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

export const INPUT = setOf('input in inp inpt');
export const OUTPUT = setOf('output out outp outpt opt');
/** Azure shortens `cached` in five ways. */
export const CACHED = setOf('cached cache caching cach cchd ccchd cd ch');
export const WRITTEN = setOf('write writes');

/** What gives tokens another price. Azure calls the priority tier `pp`: its meters cost what the tier of OpenAI does. */
export const TIERS: ReadonlyMap<string, string> = new Map([
  ['batch', 'batch'],
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['prty', 'priority'],
  ['pp', 'priority'],
  ['long', 'long context'],
  ['longco', 'long context'],
  ['1h', '1h'],
]);

/** Media whose tokens have a price of their own. */
export const MEDIA = setOf('image images img audio aud video vid speech');
/** What has `input` in its name too, and is no token of a call. */
export const OTHER_CHARGES = setOf('storage hour hours search grounding requests calls images');
/** Prices of fine-tuned models are not those of their base. */
export const FINE_TUNED = setOf('ft tuned finetuned');
/** Charges for a fine-tuned model that no call causes. */
export const WITHOUT_CALLS = setOf('training trng hosting hstng');

/** Words of routes, units and products. They are no part of the name of a model. */
const PRODUCT = setOf(
  [
    'global glbl gl regional region regnl rgnl data zone datazone dzone dzn dz std standard ga',
    'read reads hit hits short shortco context ctx non thinking reasoning text txt',
    'token tokens tkn count 1m 1k 5m per predictions prediction generate content generatecontent embedcontent online',
    'for of az azure openai cloud vertex ai model garden as a service storage hour hours',
  ].join(' '),
);

export const isMeterWord = (word: string): boolean =>
  [PRODUCT, INPUT, OUTPUT, CACHED, WRITTEN, TIERS].some((words) => words.has(word));
