import type { ItemBudget } from '../../platform/shared/itemBudget.ts';
import { parseContentJson } from '../../platform/shared/json.ts';
import { unquoted } from '../spans/attributes.ts';
import type { Cell } from './cell.ts';
import { cellsOfList } from './listCells.ts';

/** Columns by the words at their end, in snake case: `destination_model`, `ai_org`, `databricks_request_id`, `event_time`. */
export const COLUMNS = {
  id: /^(?:id|uuid|response_id|(?:[a-z]+_)?(?:request|event|call|log|query|usage|generation)_id|(?:context_)?span_id)$/,
  time: /^(?:ts|(?:request_)?created(?:_at)?|(?:(?:event|request|start|usage|create|call|log|processed)_)?(?:time_?stamp|time|date_?time)(?:_(?:utc|ms|ns|unix_nano))?|date|time_generated|(?:started|requested)_at|start_(?:ms|ns))$/,
  /** What the entry is, where calls and the chains above them are in one table: `run_type` of LangSmith, `type` of Langfuse. */
  kind: /^(?:(?:run|span|observation|request|call)_)?type$|^object$|^span_kind$/,
  /** What a serving endpoint serves is an entity at Databricks. */
  model: /(?:^|_)model(?:_name|_permaslug|_version)?$|^(?:served_)?entity_name$/,
  /** A model where nothing else names one. Gateways give their deployments ids too. */
  modelId: /^model_id$/,
  provider: /(?:^|_)(?:(?:provider|vendor)(?:_name)?|ai_org)$/,
  /** A provider where nothing else names one. Gateways number theirs. */
  providerId: /^provider_id$/,
  user: /^(?:requester|(?:request_|end_)?user(?:_id|_email|_name)?|username|distinct_id)$/,
  team: /^team(?:_name|_alias)?$/,
  key: /^(?:(?:api|virtual)_key|token)_(?:name|alias)$/,
  address: /(?:^|_)(?:base_url|api_base|upstream)$/,
  latency: /^(?:latency|duration)_ms$/,
  succeeded: /^(?:is_)?success$/,
  failed: /^(?:has|is)_error$/,
  status: /^(?:response_)?status(?:_code)?$/,
  cached: /^(?:cached|cache_hit)$/,
  tier: /^(?:re(?:quest|sponse)_)?service_tier$/,
  speed: /^speed$/,
  batch: /^(?:is_)?batch$/,
  /** Of the price, and of the machines. Where the gateway or its caller is, names such as `country` and `colo` tell. */
  region: /^(?:(?:aws|cloud|model|provider|azure|gcp|vertex|bedrock)_)?(?:region|location)$/,
  inferenceRegion: /^inference_region$/,
  /** How Cursor charges: `Usage-based`, `Included in Pro`, `Errored, No Charge`. */
  charge: /^kind$/,
  byok: /^(?:is_byok|byok_usage_inference)$/,
} as const;
export type Column = keyof typeof COLUMNS;

/** Objects of counts, costs and labels in a row, also as JSON in a text. All others can hold content. */
const NESTED =
  /(?:^|_)(?:usage|tokens?|details|metadata|metrics|cost|costs|granular)$|^(?:extra|properties|attributes|span_attributes|other|ai_log|request|response|body|ai|proxy|ai_proxy|cache|meta|meta_info|custom_dimensions|time|result|message|model_output|batch_result|chat_get_completion|responses|billed_units)$/;
/** Whatever is in an object of usage counts: `cache_creation`, `server_tool_use`. */
const IN_USAGE = /[._]usage(?:_details|_metadata)?(?:\.|$)/;
/** What a framework wraps around the usage of a model: `span_data` of OpenAI Agents, `process_data` of Dify, `output` of Flowise. */
const hasUsage = (value: object): boolean =>
  Object.entries(value).some(
    ([name, member]) => IN_USAGE.test(`.${snake(name)}`) && typeof member === 'object' && member !== null,
  );
/** What Weave sums up of the calls below an entry, and of the entry: https://docs.wandb.ai/weave/guides/tracking/costs */
const SUM = /^summary$/;
/** Read if it is an object, for its id. As a text it is mostly a prompt. */
const PROMPT = 'request';
const DEPTH_MAXIMUM = 6;
const COLUMNS_MAXIMUM = 200;

/** Columns whose words do not tell what they count, by what they count. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  // Cursor: https://cursor.com/docs/account/teams/analytics
  ['input_w_o_cache_write', 'input_tokens'],
  ['input_w_cache_write', 'cache_write_tokens'],
  ['cache_read', 'cache_read_tokens'],
  // https://github.com/ollama/ollama/blob/main/docs/api.md
  ['prompt_eval_count', 'input_tokens'],
  ['eval_count', 'output_tokens'],
  // Dify: https://docs.dify.ai/api-reference/conversations/get-conversation-history-messages
  ['message_tokens', 'input_tokens'],
  ['answer_tokens', 'output_tokens'],
]);

/** OpenCode has its counts in `tokens.cache.read`: https://github.com/sst/opencode packages/opencode/src/session/message-v2.ts */
const RENAMED_OBJECTS: ReadonlyMap<string, string> = new Map([
  ['tokens', 'usage'],
  // The pages of Mistral: https://docs.mistral.ai/capabilities/document_ai/basic_ocr
  ['usage_info', 'usage'],
]);

/** In snake case. The dots of `attributes.llm.model_name` remain. */
const snake = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9.]+/g, '_')
    .replaceAll(/^[_.]+|[_.]+$/g, '')
    .toLowerCase();

/** The members of a row and of its objects of counts, by their names in snake case and their paths. */
const membersIn = (row: unknown, path: string, depth: number, items: ItemBudget): Cell[] =>
  typeof row !== 'object' || row === null || Array.isArray(row)
    ? []
    : Object.entries(row)
        .slice(0, COLUMNS_MAXIMUM)
        .flatMap(([member, value]): Cell[] => {
          const stated = snake(member);
          const isObject = typeof value === 'object' && value !== null;
          const known = depth === 1 ? ((isObject ? RENAMED_OBJECTS : RENAMED).get(stated) ?? stated) : stated;
          const [at, name] = [`${path}.${known}`, known.replaceAll('.', '_')];
          const isRead = depth < DEPTH_MAXIMUM && (NESTED.test(name) || IN_USAGE.test(path));
          if (Array.isArray(value)) return [...cellsOfList(row, path, name, value)];
          if (isObject) {
            const isOpened = isRead || (depth < DEPTH_MAXIMUM && !SUM.test(name) && hasUsage(value));
            return isOpened ? membersIn(value, at, depth + 1, items) : [];
          }
          const object =
            isRead && name !== PROMPT && typeof value === 'string' && value.startsWith('{')
              ? parseContentJson(value, items)?.value
              : undefined;
          const cell = typeof value === 'string' ? unquoted(member, value) : value;
          return object === undefined ? [[name, at, cell]] : membersIn(object, at, depth + 1, items);
        });

/**
 * Cohere states what it bills beside what its model read, in its usage or, of a rerank, in `meta`. Tokens that it read from a cache
 * are none of those billed: https://docs.cohere.com/reference/chat
 */
const BILLED = /(?:\.usage|\.meta)?\.billed_units\b/;
const UNBILLED = /(?:^|_)tokens?$/;
const withoutUnbilled = (members: readonly Cell[]): readonly Cell[] =>
  !members.some(([, path]) => BILLED.test(path))
    ? members
    : members.flatMap(([name, path, value]): Cell[] => {
        if (BILLED.test(path)) return [[name, path.replace(BILLED, '.usage'), value]];
        return UNBILLED.test(name) ? [] : [[name, path, value]];
      });

/** Of counts in the tokens of the provider, `native_tokens_prompt`, and counts in other tokens, only the first are charged. */
const NATIVE = 'native_';
export const columnsOf = (row: unknown, items: ItemBudget): readonly Cell[] => {
  const members = withoutUnbilled(membersIn(row, 'row', 1, items));
  const native = new Set(
    members.flatMap(([name]) => (name.startsWith(NATIVE) ? [name.slice(NATIVE.length)] : [])),
  );
  return members
    .filter(([name]) => !native.has(name))
    .map(([name, path, value]) =>
      name.startsWith(NATIVE)
        ? [name.slice(NATIVE.length), path.replace(NATIVE, ''), value]
        : [name, path, value],
    );
};
