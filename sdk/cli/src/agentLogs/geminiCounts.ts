import { type Counts, countAt, type Json } from './localCall.ts';

/** What the API of Gemini counts beside the prompt and the answer, by the count that it belongs to. Usually not the cached tokens. */
const BESIDE = [
  { thoughts: true, tool: true, cached: false },
  { thoughts: true, tool: false, cached: false },
  { thoughts: false, tool: false, cached: false },
  { thoughts: true, tool: true, cached: true },
] as const;

/** The counts of an answer. Its total says which parts are counted beside the others. */
export const geminiCounts = (tokens: Json): Counts & { readonly reasoning_tokens: number } => {
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
