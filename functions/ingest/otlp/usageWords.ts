import { memoize } from '../../platform/shared/memoize.ts';

/** Where producers put what a call used: `gen_ai.usage.…`, `ai.usage.…`, `codex.usage.…`, `llm.token_count.…`. */
const PLACE = /^(?:.+\.)?(?:usage|usage_details|tokenUsage|token_count)\.([^.].*)$/;
/** What is quick to see of such a name. */
const HINT = /sage|token_count/;
/** Longer names are none of a producer. */
const LENGTH_MAXIMUM = 128;

/** Words that only say that something is counted. */
const SILENT: ReadonlySet<string> = new Set(
  'token tokens count counts number details detail usage content'.split(' '),
);

/** One word for each meaning. */
const MEANING: ReadonlyMap<string, string> = new Map(
  Object.entries({
    input: 'prompt in',
    output: 'completion completions candidates generated out',
    'cache read': 'cached',
    read: 'reads hit hits',
    write: 'writes written creation create created',
    reasoning: 'thinking thoughts thought',
    character: 'characters chars',
    second: 'seconds sec secs',
    image: 'images',
    page: 'pages',
    request: 'requests query queries',
    search: 'searches',
  }).flatMap(([meaning, words]) => words.split(' ').map((word) => [word, meaning])),
);

/** Counts, and what the words of their names mean together, in alphabetical order. */
const MEANINGS = [
  ['inputTokens', 'input'],
  ['outputTokens', 'output'],
  ['totalTokens', 'total'],
  ['cacheRead', 'cache read', 'cache input read'],
  ['cacheWrite', 'cache write', 'cache input write', 'cache read write', 'cache input read write'],
  [
    'hourWrite',
    ...(['1h cache ephemeral write', '1h cache ephemeral input write'] as const),
    ...(['1h ephemeral', '1h ephemeral input'] as const),
  ],
  ['toolInput', 'input tool use', 'input tool'],
  ['reasoning', 'reasoning', 'output reasoning'],
  ['audioInput', 'audio input'],
  ['imageInput', 'image input'],
  ['audioOutput', 'audio output'],
  ['imageOutput', 'image output'],
  ['searches', 'request search web', 'search web', 'request search server tool use web'],
  ['codeExecutions', 'code execution request', 'code execution request server tool use'],
  ['characters', 'character', 'character input'],
  ['audioSeconds', 'audio second', 'audio input second', 'audio output second'],
  ['videoSeconds', 'second video', 'output second video'],
  ['pages', 'page'],
  // What others contain. An event does not say which medium was cached.
  [
    'contained',
    ...(['text', 'input text', 'output text', 'cache read text', 'cache input read text'] as const),
    ...(['audio cache read', 'audio cache input read', 'cache image input read'] as const),
    // OpenInference for LiteLLM: tokens of text.
    'cache input',
    ...(['cache miss', 'cache input miss', 'input uncached'] as const),
    ...(['5m cache ephemeral write', '5m cache ephemeral input write'] as const),
    ...(['5m ephemeral', '5m ephemeral input'] as const),
  ],
] as const;

/** A count by the words of its name. */
type WordedCount = (typeof MEANINGS)[number][0];

const COUNTS: ReadonlyMap<string, WordedCount> = new Map(
  MEANINGS.flatMap(([count, ...meanings]) => meanings.map((meaning) => [meaning, count] as const)),
);

const meaningOf = (name: string): string => {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !SILENT.has(word))
    .flatMap((word) => (MEANING.get(word) ?? word).split(' '));
  return [...new Set(words)].toSorted().join(' ');
};

const countNamed = memoize((name) => {
  const counted = PLACE.exec(name)?.[1];
  return counted === undefined ? undefined : COUNTS.get(meaningOf(counted));
});

/**
 * What an attribute counts, by the words of its name: producers spell one count in many ways, for example
 * `gen_ai.usage.prompt_tokens_details.cached_tokens` and `ai.usage.inputTokenDetails.cacheReadTokens`. Undefined for a name
 * with any other word.
 */
export const wordedCount = (name: string): WordedCount | undefined =>
  name.length <= LENGTH_MAXIMUM && HINT.test(name) ? countNamed(name) : undefined;

/** Under which a count is kept that only the words of its name tell. */
export const wordedName = (count: WordedCount): string => `count by words: ${count}`;
