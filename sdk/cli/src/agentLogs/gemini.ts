import { type Counts, countAt, type Json, type LocalCall, objectAt, textAt, timeAt } from './localCall.ts';
import type { SessionReader } from './sessionReader.ts';

/** What the API of Gemini counts beside the prompt and the answer, by the count that it belongs to. Usually not the cached tokens. */
const BESIDE = [
  { thoughts: true, tool: true, cached: false },
  { thoughts: true, tool: false, cached: false },
  { thoughts: false, tool: false, cached: false },
  { thoughts: true, tool: true, cached: true },
] as const;

/** The counts of an answer. Its total says which parts are counted beside the others. */
const countsOf = (tokens: Json): Counts & { readonly reasoning_tokens: number } => {
  const at = (name: string) => countAt(tokens, name);
  const [input, output, cached, thoughts, tool] = [
    at('input'),
    at('output'),
    at('cached'),
    at('thoughts'),
    at('tool'),
  ];
  const readings = BESIDE.map((beside) => ({
    input_tokens: input + (beside.tool ? tool : 0) + (beside.cached ? cached : 0),
    output_tokens: output + (beside.thoughts ? thoughts : 0),
  }));
  const [usual = { input_tokens: input, output_tokens: output }] = readings;
  const counts =
    readings.find(({ input_tokens, output_tokens }) => input_tokens + output_tokens === at('total')) ?? usual;
  return {
    ...counts,
    cached_input_tokens: Math.min(cached, counts.input_tokens),
    cache_write_tokens: 0,
    reasoning_tokens: Math.min(thoughts, counts.output_tokens),
  };
};

const hasTokens = (message: Json): boolean =>
  message['type'] === 'gemini' &&
  ['input', 'output', 'thoughts'].some((name) => countAt(objectAt(message, 'tokens'), name) > 0);

/** The messages of a line: itself, those of a whole session, or those that replace it. */
const messagesOf = (entry: Json): readonly Json[] =>
  [entry, ...[entry['messages'], objectAt(entry, '$set')['messages']].flatMap((list) => list ?? [])].map(
    (message) => Object(message),
  );

/**
 * Reads the chats of Gemini CLI. It appends a message again whenever tools add to it, and moves older sessions into files of the newer
 * form. An answer that the user went back behind was billed all the same.
 */
export const geminiReader: SessionReader = () => {
  const calls = new Map<string, LocalCall>();
  return {
    isRead: (text) => text.includes('"tokens"'),
    take: (entry, file) =>
      messagesOf(entry)
        .filter(hasTokens)
        .map((message) => {
          const at = timeAt(message, 'timestamp');
          if (at === undefined) return false;
          const id = textAt(message, 'id') ?? `${file} ${at}`;
          const { reasoning_tokens, ...counts } = countsOf(objectAt(message, 'tokens'));
          const isKnown = calls.has(id);
          calls.set(id, {
            at,
            provider: 'gcp.gemini',
            model: textAt(message, 'model') ?? 'unknown',
            counts,
            members: { reasoning_tokens },
            identity: [id],
          });
          return isKnown;
        })
        .some((repeats) => repeats),
    finish: () => [...calls.values()],
  };
};
