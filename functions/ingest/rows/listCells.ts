import { listedCounts } from '../formats/listedCounts.ts';
import { adviceTokens, iterationTokens } from '../formats/providerUsage.ts';
import { memberAt, textAt } from '../formats/values.ts';
import { groundedSearches } from '../formats/vertex.ts';
import type { Cell } from './cell.ts';

/** Kinds of tokens of Anthropic, each with a price and a count of its own. */
const KINDS = [
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'ephemeral_1h_input_tokens',
  'output_tokens',
];

const cell = (path: string, name: string, count: number): readonly Cell[] =>
  count === 0 ? [] : [[name, `${path}.${name}`, count]];

/** What the iterations of a call of Claude add to its usage: summaries of the context, and tokens of another model. */
const iterationsIn = (path: string, usage: unknown): readonly Cell[] => {
  return [
    ...KINDS.flatMap((kind) => cell(path, `compaction_${kind}`, iterationTokens(usage, kind, 'compaction'))),
    ...cell(path, 'advisor_message_tokens', adviceTokens(usage)),
  ];
};

/**
 * Tools of OpenAI that have a fee, by the items of an answer. Its usage does not count them.
 * https://platform.openai.com/docs/pricing#built-in-tools
 */
const TOOLS = [
  ['web_search_call', 'web_search_requests'],
  // xAI: https://docs.x.ai/docs/guides/tools/overview
  ['x_search_call', 'x_search_requests'],
  // Gemini in its Interactions API: https://ai.google.dev/api/interactions-api
  ['google_search_call', 'web_search_requests'],
  ['file_search_call', 'file_search_requests'],
  ['code_interpreter_call', 'code_interpreter_calls'],
  // Of an image model, which the answer does not name.
  ['image_generation_call', 'image_generation_calls'],
] as const;

/** Reading a page that a search found has no fee. */
const isCharged = (item: unknown): boolean =>
  memberAt(item, 'status') !== 'failed' && (textAt(item, 'action', 'type') ?? 'search') === 'search';

const toolsIn = (items: readonly unknown[]): readonly Cell[] =>
  TOOLS.flatMap(([type, name]) => {
    const calls = items.filter((item) => memberAt(item, 'type') === type && isCharged(item));
    return cell('row.usage', name, calls.length);
  });

/** What a list of an answer counts, as cells. `owner`: the object at `path` with the list. Other lists hold content. */
export const cellsOfList = (
  owner: unknown,
  path: string,
  name: string,
  list: readonly unknown[],
): readonly Cell[] => {
  if (name === 'iterations') return iterationsIn(path, owner);
  // xAI counts those that it charges in its usage, in later versions.
  if (name === 'output' || name === 'steps')
    return memberAt(owner, 'usage', 'server_side_tool_usage_details') === undefined ? toolsIn(list) : [];
  if (name === 'candidates') return cell('row.usage', 'web_search_requests', groundedSearches(owner) ?? 0);
  return listedCounts(name, list).map(([one, count]) => [one, `${path}.${name}.${one}`, count]);
};
