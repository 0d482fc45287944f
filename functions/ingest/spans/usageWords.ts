import { isOfSeveralCalls } from './callWords.ts';

/** Where producers put what a call used: `gen_ai.usage.…`, `ai.usage.…`, `llm.token_count.…`, `lk.tts_metrics.…`. */
const USAGE =
  /^(?:.+\.)?(?:usage|tool_usage|usage_details|usage_?[Mm]etadata|token_usage|tokenUsage|token_count|tokens_granular|(?:[a-z]+_){0,3}metrics)(?:_json)?\.([^.].*)$/;
/**
 * Elsewhere, the last part of a name says that it counts tokens: `cursor.api.request.input_tokens`, `llm.tokens.prompt`. The part
 * before it can change what it counts: `acme.audio.input_tokens`.
 */
const QUALIFYING = /audio|image|video|text|cach|reason|think|thought|tool|compact/i;
/** Parts of a count, whose own names need not say that they are tokens: `prompt_token_details.cache_read` of LangSmith. */
const DETAILS = /tokens?_?details$/i;
/** Of the audio of a transcription: https://platform.openai.com/docs/api-reference/audio/json-object */
const DURATION = /(?:^|\.)usage\.seconds$/;
/** Where characters are those of speech. */
const SPEECH = /^(?:tts|speech|text_to_speech)$/i;
/** What is quick to see of such a name. */
const HINT = /sage|token|metrics|character/i;
/** Longer names are none of a producer. */
const LENGTH_MAXIMUM = 128;

/** Words that only say that something is counted. */
const SILENT: ReadonlySet<string> = new Set(
  'token tokens count counts num number details detail by usage content llm ai genai provider billable original'.split(
    ' ',
  ),
);

/** One word for each meaning. */
const MEANING: ReadonlyMap<string, string> = new Map(
  Object.entries({
    input: 'prompt in',
    output: 'completion completions candidates generated response out',
    'cache read': 'cached',
    read: 'reads hit hits',
    write: 'writes written creation create created',
    reasoning: 'thinking thoughts thought',
    character: 'characters chars',
    second: 'seconds sec secs',
    image: 'images',
    page: 'pages',
    request: 'requests query queries call calls',
    source: 'sources',
    search: 'searches',
  }).flatMap(([meaning, words]) => words.split(' ').map((word) => [word, meaning])),
);

/** Counts, and what the words of their names mean together, in alphabetical order. */
const MEANINGS = [
  // The Interactions API of Gemini has `total_input_tokens` and the like: https://ai.google.dev/api/interactions-api
  ['inputTokens', 'input', 'input total'],
  ['outputTokens', 'output', 'output total'],
  ['totalTokens', 'total'],
  ['cacheRead', 'cache read', 'cache input read', 'cache', 'cache read total'],
  ['cacheWrite', 'cache write', 'cache input write', 'cache read write', 'cache input read write'],
  [
    'hourWrite',
    ...(['1h cache ephemeral write', '1h cache ephemeral input write'] as const),
    ...(['1h ephemeral', '1h ephemeral input', '1h cache write', '1h cache input write'] as const),
    ...(['1h cache read write', '1h cache input read write'] as const),
  ],
  [
    'fiveMinuteWrite',
    ...(['5m cache ephemeral write', '5m cache ephemeral input write'] as const),
    ...(['5m ephemeral', '5m ephemeral input', '5m cache write', '5m cache input write'] as const),
    ...(['5m cache read write', '5m cache input read write'] as const),
  ],
  // Langfuse takes the tokens of each medium from the input and output of Vertex AI, and names the media as text or by number:
  // https://github.com/langfuse/langfuse-python langfuse/langchain/CallbackHandler.py
  ['textInput', 'input modality text', '1 input modality'],
  ['textOutput', 'modality output text', '1 modality output'],
  ['toolInput', 'input tool use', 'input tool', 'tool total use'],
  // Of Claude, outside the other counts: https://platform.claude.com/docs/en/build-with-claude/compaction
  ['compactionInput', 'compaction input'],
  ['compactionOutput', 'compaction output'],
  ['compactionRead', 'cache compaction input read'],
  ['compactionWrite', 'cache compaction input write'],
  ['compactionHourWrite', '1h compaction ephemeral input'],
  ['reasoning', 'reasoning', 'output reasoning', 'reasoning total'],
  ['audioInput', 'audio input', 'audio input modality', '4 input modality'],
  [
    'cachedAudio',
    ...(['audio cache', 'audio cache read', 'audio cache input read'] as const),
    ...(['audio cache modality read', '4 cache modality read'] as const),
  ],
  // All cached tokens of some: https://github.com/xai-org/xai-sdk-python src/xai_sdk/chat.py
  [
    'cachedText',
    ...(['cache text', 'cache read text', 'cache input read text'] as const),
    ...(['cache modality read text', '1 cache modality read'] as const),
  ],
  ['imageInput', 'image input', 'image input modality', '2 input modality'],
  ['audioOutput', 'audio output', 'audio modality output', '4 modality output'],
  ['imageOutput', 'image output', 'image modality output', '2 modality output'],
  [
    'searches',
    ...([
      'request search web',
      'search web',
      'request search server tool use web',
      'request search',
      'output request search',
    ] as const),
    // Live search of xAI charged each source: https://docs.x.ai/docs/guides/live-search
    'source used',
  ],
  ['postSearches', 'request search x'],
  ['fileSearches', 'file request search', 'file search'],
  [
    'codeExecutions',
    'code execution request',
    'code execution request server tool use',
    'code interpreter request',
  ],
  ['characters', 'character', 'character input'],
  ['audioSeconds', 'audio second', 'audio input second', 'audio output second'],
  ['videoSeconds', 'second video', 'output second video'],
  // Of a tool: those of a prompt or an answer have tokens.
  ['images', 'generation image request'],
  ['pages', 'page', 'page processed'],
  ['rerankSearches', 'search units'],
  // What others contain. An event does not say which images were cached.
  [
    'contained',
    ...(['text', 'input text', 'output text', 'input text tool use', 'cache image'] as const),
    'cache image input read',
    // OpenInference for LiteLLM: tokens of text.
    'cache input',
  ],
  // The part of the input that was not read from a cache. Some producers state nothing else of the input.
  [
    'uncachedInput',
    ...(['cache miss', 'cache input miss', 'input uncached'] as const),
    ...(['cache input non read', 'cache non read', 'cache input no read', 'cache no read'] as const),
    ...(['cache input no', 'cache no', 'fresh input', 'uncached'] as const),
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

/**
 * Characters and media of a prompt and its answer, whose tokens Genkit counts too:
 * https://github.com/firebase/genkit js/ai/src/model-types.ts GenerationUsage
 */
const IN_TOKENS = /^genkit:output\.usage\.(?:in|out)put(?:Characters|Images|Videos|AudioFiles)$/;

/** What is counted where the usage of a call is put; undefined elsewhere, also where it is that of a session or a turn. */
export const usageAt = (name: string): string | undefined => {
  const counted = USAGE.exec(name)?.[1];
  return counted === undefined || isOfSeveralCalls(name.slice(0, -counted.length)) ? undefined : counted;
};

/** Under which a count is kept that only the words of its name tell. `elsewhere`: its name does not say that it is usage. */
export const wordedName = (count: WordedCount, place: 'usage' | 'elsewhere' = 'usage'): string =>
  `${place} by words: ${count}`;

/** Whether a kept count is of seconds, of which begun ones count whole. */
export const isInSeconds = (name: string): boolean => name.endsWith('Seconds');

/** What the last part of a name counts, with the one before it if that one changes it. */
const countedElsewhere = (name: string): string | undefined => {
  const parts = name.split('.');
  const [before = '', last = ''] = parts.slice(-2);
  if (parts.length < 2 || isOfSeveralCalls(name)) return undefined;
  if (DETAILS.test(before)) return `${before}.${last}`;
  if (before.toLowerCase() === 'tokens' || (SPEECH.test(before) && /character/i.test(last))) return last;
  if (!/token/i.test(last)) return undefined;
  return QUALIFYING.test(before) ? `${before}.${last}` : last;
};

/**
 * Under which the count of an attribute is kept, by the words of its name: producers spell one count in many ways, for example
 * `gen_ai.usage.prompt_tokens_details.cached_tokens` and `ai.usage.inputTokenDetails.cacheReadTokens`. Undefined for a name
 * with any other word.
 */
export const wordedCount = (name: string): string | undefined => {
  if (name.length > LENGTH_MAXIMUM || !HINT.test(name)) return undefined;
  const used = usageAt(name);
  if (IN_TOKENS.test(name)) return wordedName('contained');
  const counted = DURATION.test(name) ? 'audio_seconds' : (used ?? countedElsewhere(name));
  const count = counted === undefined ? undefined : COUNTS.get(meaningOf(counted));
  return count === undefined ? undefined : wordedName(count, used === undefined ? 'elsewhere' : 'usage');
};
