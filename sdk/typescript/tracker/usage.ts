import type { TrackedEvent } from './tracker.ts';

type Json = Readonly<Record<string, unknown>>;

/** A line of a stream or a response above this size is not read: its usage is unknown. */
const CHARACTERS_MAXIMUM = 4_000_000;

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? Object(value) : {});
const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;

/** The counts in the names of our API, where input contains cached tokens and output contains reasoning. */
const tokensOf = (usage: Json): Partial<TrackedEvent> => {
  const read = count(usage['cache_read_input_tokens']);
  const written = count(usage['cache_creation_input_tokens']);
  const isChat = 'prompt_tokens' in usage;
  const [input, output] = isChat ? ['prompt', 'completion'] : ['input', 'output'];
  const details = (name: string | undefined): Json => objectOf(usage[`${name}_tokens_details`]);
  return {
    // Anthropic counts cached tokens beside the input tokens.
    input_tokens: count(usage[`${input}_tokens`]) + read + written,
    cached_input_tokens: read || count(details(input)['cached_tokens']),
    cache_write_tokens: written,
    output_tokens: count(usage[`${output}_tokens`]),
    reasoning_tokens: count(details(output)['reasoning_tokens']),
  };
};

/** Reads the usage of a call from its response as the bytes arrive. Content is never kept. */
export interface UsageReader {
  readonly feed: (bytes: Uint8Array) => void;
  /** Members of an event. Undefined if the response named no usage. */
  readonly finish: () => Partial<TrackedEvent> | undefined;
  /** The id that the provider gave the response, as far as it was read. */
  readonly responseId: () => string | undefined;
}

/** For the shapes of OpenAI (chat completions, responses, embeddings) and Anthropic (messages), JSON or a stream. */
export const usageReader = (isStream: boolean): UsageReader => {
  const decoder = new TextDecoder();
  let text = '';
  let isTooLong = false;
  let usage: Json = {};
  let model: string | undefined;
  let tier: string | undefined;
  let id: string | undefined;

  const take = (value: unknown): void => {
    const found = objectOf(value);
    // Anthropic's message_start has a `message`, OpenAI's response.completed has a `response`.
    for (const part of [found, objectOf(found['message']), objectOf(found['response'])]) {
      const counts = objectOf(part['usage']);
      usage = { ...usage, ...Object.fromEntries(Object.entries(counts).filter(([, item]) => item !== null)) };
      const served = counts['service_tier'] ?? part['service_tier'];
      if (typeof served === 'string') tier = served;
      if (typeof part['model'] === 'string') model = part['model'];
      if (typeof part['id'] === 'string') id = part['id'];
    }
  };

  const takeLine = (line: string): void => {
    // Most lines hold content. They are not parsed.
    const isRead = line.includes('"usage"') || (model === undefined && line.includes('"model"'));
    if (line.startsWith('data:') && isRead) take(JSON.parse(line.slice(5)));
  };

  return {
    feed: (bytes) => {
      if (isTooLong && !isStream) return;
      text += decoder.decode(bytes, { stream: true });
      if (isStream) {
        const lines = text.split('\n');
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
      return {
        ...tokensOf(usage),
        ...(model !== undefined && { served_model: model }),
        ...(tier !== undefined && { service_tier: tier }),
      };
    },
    responseId: () => id,
  };
};
