import type { TrackedEvent } from './tracker.ts';

type Json = Readonly<Record<string, unknown>>;
type Members = Record<string, unknown>;

/** A line of a stream or a response above this size is not read: its usage is unknown. */
const CHARACTERS_MAXIMUM = 4_000_000;

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? Object(value) : {});

/**
 * Counts by their path without the words that all have: `input_details.cached`. Iterations are counted apart. Lists name what
 * each item counts: `input_tokens_by_modality` of Gemini, `cacheDetails` of Amazon Bedrock.
 */
const countsIn = (value: Json, path = ''): [path: string, count: number][] =>
  Object.entries(value).flatMap(([name, item]) => {
    const of = objectOf(item);
    const label = of['modality'] ?? of['ttl'];
    const at =
      (label === undefined ? path : path.replace(/(?:_by_modality|_details)?\.$/, '_details.')) +
      String(label ?? name)
        .replace(/[a-z](?=[A-Z])/g, '$&_')
        .toLowerCase()
        .replace(/_(?:tokens?(?:_count)?|requests)(?![a-z])/g, '')
        .replace(/^total_/, '')
        .replace('prompt', 'input')
        .replace(/completion|candidates/, 'output');
    if (name === 'iterations') return [];
    if (label !== undefined) return [[at, Number(of['tokens'] ?? of['inputTokens'] ?? of['tokenCount'])]];
    if (typeof item === 'object') return countsIn(of, `${at}.`);
    // Proxies send counts as text. A part of a second is charged as one.
    const count = /^\d+$/.test(String(item))
      ? Number(item)
      : Math.ceil(at.endsWith('seconds') ? Number(item) : -1);
    return Number.isSafeInteger(count) && count >= 0 ? [[at, count]] : [];
  });

/** Cohere bills other counts than those that its model read: https://docs.cohere.com/reference/chat */
const billedIn = (counts: [path: string, count: number][]): [path: string, count: number][] => {
  const billed = counts.filter(([path]) => path.startsWith('billed_units.'));
  return billed.length > 0 ? billed.map(([path, count]) => [path.slice(13), count]) : counts;
};

/**
 * What was charged, in USD: by OpenRouter, unless the caller has a key of the provider (https://openrouter.ai/docs/use-cases/usage-accounting),
 * by Perplexity, and by xAI in units of 1e-10 (https://docs.x.ai/developers/cost-tracking).
 */
const chargeIn = (usage: Json): Members => {
  const { cost, cost_in_usd_ticks: ticks } = usage;
  const amount = objectOf(cost)['total_cost'] ?? cost;
  const usd =
    Number.isSafeInteger(ticks) && Number(ticks) > 0
      ? String(ticks)
          .padStart(11, '0')
          .replace(/.{10}$/, '.$&')
      : typeof amount === 'number' && amount > 0 && usage['is_byok'] !== true
        ? amount.toFixed(12)
        : undefined;
  return usd === undefined ? {} : { estimated_cost_usd: usd, cost_source: 'provider' };
};

/** Members of an event, by what they count. */
const MEMBERS: readonly (readonly [RegExp, member: string])[] = [
  [
    /^input_details\.cached$|^(?:cached|cached_content|num_cached|cache_read_input|input_cache_hit)$/,
    'cached_input_tokens',
  ],
  [/^input_details\.cache_(?:creation|write)$|^cache_(?:creation|write)_input$/, 'cache_write_tokens'],
  [/1h(?:_input)?$/, 'cache_write_1h_tokens'],
  [/^input_details\.audio$/, 'audio_input_tokens'],
  [/^input_details\.image$/, 'image_input_tokens'],
  [/^output_details\.(?:reasoning|thinking)$|^(?:reasoning|thoughts?)$/, 'reasoning_tokens'],
  [/^output_details\.audio$/, 'audio_output_tokens'],
  [/^output_details\.image$/, 'image_output_tokens'],
  [/use\.web_search$|^num_search_queries$/, 'web_searches'],
  [/use\.code_execution$/, 'code_executions'],
  [/^search_units$/, 'rerank_searches'],
  [/^cache_details\.audio$/, 'cached_audio_input_tokens'],
  [/^(?:input_audio_)?seconds$/, 'audio_seconds'],
];
/** Counts that others contain, and what costs nothing. */
const CONTAINED =
  /^(?:total|input|output|tool_use(?:_input)?)$|text$|prediction$|cache_miss$|5m(?:_input)?$|web_fetch$|cost|time$/;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * The counts in the names of our API, where input contains cached tokens and output contains reasoning. Other counts can set a price
 * too: they are sent by name, and the service
 * knows the most that they can cost. Counts that are not named so are unknown, and not 0.
 */
const tokensOf = (usage: Json): Members => {
  const counts = new Map(billedIn(countsIn(usage)));
  const unread: string[] = [];
  for (const one of listOf(usage['iterations']).map(objectOf)) {
    // Another model was asked, which has a price of its own.
    if (one['type'] === 'advisor_message')
      unread.push(`advisor_message_tokens=${countsIn(one).reduce((sum, [, count]) => sum + count, 0)}`);
    // A summary of the context, whose tokens the other counts of Claude leave out.
    if (one['type'] === 'compaction')
      for (const [path, count] of countsIn(one)) counts.set(path, (counts.get(path) ?? 0) + count);
  }
  const at = (path: string) => counts.get(path) ?? 0;
  const members: Members = {};
  for (const [path, count] of counts) {
    const member = MEMBERS.find(([paths]) => paths.test(path))?.[1];
    if (member !== undefined) members[member] = count;
    else if (count > 0 && !CONTAINED.test(path)) unread.push(`${path}=${count}`);
  }
  // Voyage and Jina state nothing but the total of an embedding, which generates none.
  const isNamed = counts.has('input') || counts.has('output');
  // Gemini counts what its tools read beside the input.
  const read = at(isNamed ? 'input' : 'total') + at('tool_use') + at('tool_use_input');
  if (unread.length > 0) members['unread_usage'] = unread;
  if (!isNamed && (members['rerank_searches'] || members['audio_seconds'])) return members;
  if (!isNamed && (unread.length > 0 || read === 0))
    return members['unread_usage'] ? { unread_usage: unread } : {};
  // xAI and Gemini count reasoning beside the output. The total tells.
  const reasoning = Number(members['reasoning_tokens'] ?? 0);
  const output = at('output') + reasoning;
  return {
    ...members,
    // Anthropic and Amazon Bedrock count cached tokens beside the input tokens.
    input_tokens: read + at('cache_read_input') + at('cache_creation_input') + at('cache_write_input'),
    output_tokens: reasoning > at('output') || at('total') === read + output ? output : at('output'),
  };
};

/** Tools of OpenAI and xAI that have a fee, by the items of an answer. Its usage does not count them. */
const TOOLS: Readonly<Record<string, string>> = {
  web_search_call: 'web_searches',
  x_search_call: 'web_searches',
  file_search_call: 'file_searches',
  code_interpreter_call: 'code_executions',
  // Its tokens are of an image model, which the answer does not name.
  image_generation_call: '',
};
const toolsIn = (output: readonly unknown[]): Members => {
  const members: Members = {};
  let images = 0;
  for (const item of output.map(objectOf)) {
    const type = String(item['type']);
    const member = TOOLS[type];
    // Reading a page that a search found has no fee.
    const isCharged = item['status'] !== 'failed' && /^s|^u/.test(String(objectOf(item['action'])['type']));
    if (member === '') members['unread_usage'] = [`${type}=${++images}`];
    else if (member !== undefined && isCharged) members[member] = Number(members[member] ?? 0) + 1;
  }
  return members;
};

/** Reads the usage of a call from its response as the bytes arrive. Content is never kept. */
export interface UsageReader {
  readonly feed: (bytes: Uint8Array) => void;
  /** Members of an event. Undefined if the response named no usage. */
  readonly finish: () => Partial<TrackedEvent> | undefined;
  /** The id that the provider gave the response, as far as it was read. */
  readonly responseId: () => string | undefined;
}

const PARTS = ['message', 'response', 'delta', 'interaction', 'x_groq'];

/** For the shapes of OpenAI (chat completions, responses, embeddings), Anthropic, Gemini (interactions), Amazon Bedrock (Converse) and Cohere, JSON or a stream. */
export const usageReader = (isStream: boolean): UsageReader => {
  const decoder = new TextDecoder();
  let text = '';
  let isTooLong = false;
  let usage: Json = {};
  let model: string | undefined;
  let tier: string | undefined;
  let area: string | undefined;
  let id: string | undefined;
  let isOpen = false;
  let tools: Members = {};

  const take = (value: unknown): void => {
    const found = objectOf(value);
    // Anthropic's message_start has a `message`, OpenAI's response.completed a `response`, Cohere's message-end a `delta`, and the
    // last event of Gemini's interactions an `interaction`.
    for (const part of [found, ...PARTS.map((name) => objectOf(found[name]))]) {
      const counts = objectOf(part['usage'] ?? part['usageMetadata'] ?? part['meta']);
      // Counts grow. Servers that imitate Claude end with an input of 0.
      const stated = Object.entries(counts).filter(
        ([name, item]) => item !== null && (item !== 0 || !usage[name]),
      );
      usage = { ...usage, ...Object.fromEntries(stated) };
      if (stated.length > 0) isOpen = isStream && found['type'] === 'message_start';
      const served = counts['speed'] === 'fast' ? 'fast' : (counts['service_tier'] ?? part['service_tier']);
      area = /^(?:us|eu|global)$/.exec(String(counts['inference_geo']))?.[0] ?? area;
      if (typeof served === 'string') tier = served;
      const answered = part['model'] ?? part['modelVersion'];
      if (typeof answered === 'string') model = answered;
      // A stream begins with the model that was asked, and another one can answer.
      for (const one of listOf(counts['iterations']).map(objectOf))
        if (one['type'] === 'fallback_message' && typeof one['model'] === 'string') model = one['model'];
      if (Array.isArray(part['output'])) tools = toolsIn(part['output']);
      const given = part['id'] ?? part['responseId'];
      if (typeof given === 'string') id ??= given;
    }
  };

  const takeLine = (line: string): void => {
    // Most lines hold content. They are not parsed.
    const isRead = /"usage|"billed_units"/.test(line) || (model === undefined && line.includes('"model"'));
    // A frame of Amazon Bedrock has its JSON between binary headers.
    const json = line.startsWith('data:') ? line.slice(5) : /\{.*\}/.exec(line)?.[0];
    if (json !== undefined && isRead) take(JSON.parse(json));
  };

  return {
    feed: (bytes) => {
      if (isTooLong && !isStream) return;
      text += decoder.decode(bytes, { stream: true });
      if (isStream) {
        const lines = text.split(/[\n\0]/);
        text = lines.pop() ?? '';
        if (!isTooLong) lines.forEach(takeLine);
        else lines.slice(1).forEach(takeLine);
        if (lines.length > 0) isTooLong = false;
      }
      if (text.length > CHARACTERS_MAXIMUM) {
        text = '';
        isTooLong = true;
      }
    },
    finish: () => {
      if (!isTooLong && text !== '') isStream ? takeLine(text) : take(JSON.parse(text));
      text = '';
      if (Object.keys(usage).length === 0) return undefined;
      const members = tokensOf(usage);
      const unread = [
        ...listOf(members['unread_usage']),
        ...listOf(tools['unread_usage']),
        // Claude states what it generated at the end.
        ...(isOpen ? ['output_tokens_after_last_line'] : []),
      ];
      return {
        ...members,
        ...chargeIn(usage),
        ...tools,
        ...(unread.length > 0 && { unread_usage: unread.slice(0, 10).map((one) => String(one).slice(-64)) }),
        ...(model !== undefined && { served_model: model }),
        ...(tier !== undefined && { service_tier: tier }),
        ...(area !== undefined && { region: area }),
      };
    },
    responseId: () => id,
  };
};
