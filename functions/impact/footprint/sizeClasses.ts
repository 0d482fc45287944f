import type { ModelSize } from './modelSize.ts';

const dense = (min: string, max: string): ModelSize => ({ total: { min, max }, active: { min, max } });

const experts = (total: string, min: string, max: string): ModelSize => ({
  total: { min: total, max: total },
  active: { min, max },
});

const NANO = dense('5', '20');
const MINI = dense('10', '35');
const STANDARD = experts('440', '44', '132');
const FRONTIER: ModelSize = { total: { min: '670', max: '2000' }, active: { min: '67', max: '600' } };

/**
 * The sizes of hosted embedding models are not published. Open models with the same use have this range, most of them up to
 * .6 billion parameters.
 */
export const EMBEDDING_CLASS: ModelSize = dense('0.1', '1.1');

/**
 * Successors of models with a published estimate (`closedModels.ts`) have the size of their line: a new version at the same
 * price is no larger model. The last published estimate of each line.
 */
const LINES: readonly (readonly [RegExp, ModelSize])[] = [
  // At the price of opus 4, which is its successor.
  [/^claude-3-opus/, experts('2000', '200', '600')],
  [/^claude-(?:.*-)?opus/, experts('670', '67', '200')],
  [/^gpt-[5-9].*-pro/, experts('5400', '540', '1800')],
  [/^gpt-[5-9].*mini/, dense('25', '70')],
  [/^gemini-(?:.*-)?flash-lite/, dense('8', '28')],
  [/^gemini-(?:.*-)?flash/, STANDARD],
  // Argon follows the pro models, at a price between two of them.
  [/^gemini-(?:.*-)?(?:pro|argon)/, experts('1200', '120', '360')],
  [/^minimax-m[3-9]/, experts('230', '10', '10')],
  // V4.1 Flash and its names follow V4 Flash, whose weights are published.
  [/^deepseek-(?:v4\.\d-)?flash/, experts('284', '13', '13')],
];

/**
 * Size words of vendors. The sizes are estimated from prices and from models of known size with the same word.
 * First match wins; billions of parameters.
 */
const WORDS: readonly (readonly [RegExp, ModelSize])[] = [
  [/nano|nova-micro|(?:^|-)tiny|flash-8b|command-light/, NANO],
  [/(?:^|[-_])mini(?![a-z])|haiku|flash-lite|nova-(?:2-)?lite|luna|titan-text|qwen.*-flash/, MINI],
  [/(?:mistral|magistral|devstral)-small|grok-(?:4|code).*fast|glm.*(?:air|flash)/, MINI],
  [/^o\d.*-pro/, experts('3600', '360', '1080')],
  [/opus|fable|mythos|ultra|premier|heavy|gemini-.*pro|grok-[3-9]|qwen.*-max|kimi|mistral-large/, FRONTIER],
  [
    /^(?:chat)?gpt-(?:\d|chat)|^o\d|sonnet|gemini-.*flash|nova-(?:2-)?pro|grok|sonar|terra|-sol(?:$|-)/,
    STANDARD,
  ],
  [/claude-(?:instant|v?[12])|qwen.*-(?:plus|turbo)|mistral-medium|glm|minimax|command|palmyra/, STANDARD],
];

export const SIZES_BY_NAME = [...LINES, ...WORDS];

/** `70b`, `1.5b`, `30b-a3b`, `8x7b`: a count of parameters in the name of a model. */
const COUNT = /(?:^|[-_:])(?:(\d{1,2})x)?(\d{1,4}(?:\.\d{1,2})?)b(?:-a(\d{1,3}(?:\.\d{1,2})?)b)?(?:$|[-_:@])/;

/** The parameter count in the name of a model, or null. */
export const countedSize = (name: string): ModelSize | null => {
  const [, copies, billions, active] = COUNT.exec(name) ?? [];
  if (billions !== undefined) {
    const total = copies === undefined ? billions : String(Number(copies) * Number(billions));
    // Without a stated share, a mixture of `n` experts of a size runs about two of them for each token.
    const used = active ?? (copies === undefined ? total : String(2 * Number(billions)));
    return { total: { min: total, max: total }, active: { min: used, max: used } };
  }
  return null;
};

/** The size class of a model that no table lists, or null if its name contains no size. */
export const sizeClass = (name: string): ModelSize | null =>
  countedSize(name) ?? SIZES_BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? null;
