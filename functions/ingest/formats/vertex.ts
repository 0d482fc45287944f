import type { ItemBudget } from '../../platform/shared/itemBudget.ts';
import { parseContentJson } from '../../platform/shared/json.ts';
import { callerMetadata } from './callerMetadata.ts';
import { callIdOf, membersOf, requiredLabel, type Warnings } from './observedCall.ts';
import { decideCounts } from './tokenCounts.ts';
import { countAt, definedMembers, memberAt, textAt, toTimestamp } from './values.ts';

/**
 * Whether a JSON value is a row of the request-response log of Vertex AI
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/request-response-logging), which is a BigQuery
 * table.
 */
export const isVertexRow = (value: unknown): boolean =>
  textAt(value, 'logging_time') !== undefined && memberAt(value, 'full_response') !== undefined;

/** A column of the type JSON. Some exports write it as text. */
const jsonColumn = (row: unknown, name: string, items: ItemBudget): unknown => {
  const column = memberAt(row, name);
  return typeof column === 'string' ? parseContentJson(column, items)?.value : column;
};

/** A TIMESTAMP of BigQuery: `2026-11-01 12:00:00.123456 UTC`. Some exports leave out the zone, which is always UTC. */
const timeOf = (row: unknown): string | undefined => {
  const [date, time] = (textAt(row, 'logging_time') ?? '').split(/[ T]/);
  return toTimestamp(`${date}T${(time ?? '').replace(/Z$/, '')}Z`);
};

/** The response. Of a streamed one the last part, which has the counts of the whole call. */
const responseOf = (row: unknown, items: ItemBudget): unknown => {
  const response = jsonColumn(row, 'full_response', items);
  if (!Array.isArray(response)) return response;
  return response.findLast((part) => memberAt(part, 'usageMetadata') !== undefined) ?? response.at(-1);
};

/** `projects/p/locations/europe-west4/publishers/google/models/gemini-2.5-flash` → `europe-west4`. */
const regionOf = (row: unknown): string | undefined =>
  /(?:^|\/)locations\/([a-z0-9-]{1,64})(?:\/|$)/.exec(textAt(row, 'endpoint') ?? '')?.[1];

/** The model id at the end of a resource name. */
const modelOf = (row: unknown): string | undefined => {
  const name = textAt(row, 'model') ?? /\/models\/([^/]+)$/.exec(textAt(row, 'endpoint') ?? '')?.[1];
  return name?.slice(name.lastIndexOf('/') + 1);
};

/** The tokens of one medium in the details of a count. */
const tokensOfMedium = (usage: unknown, details: string, medium: string): number | undefined => {
  const parts = memberAt(usage, details);
  if (!Array.isArray(parts)) return undefined;
  return countAt(
    parts.find((part) => textAt(part, 'modality') === medium),
    'tokenCount',
  );
};

const countsOfGemini = (usage: unknown) => {
  const count = (name: string) => countAt(usage, name);
  const total = count('totalTokenCount');
  return {
    input: count('promptTokenCount'),
    // A response that was only thought about has no candidates.
    output: count('candidatesTokenCount') ?? (count('thoughtsTokenCount') === undefined ? undefined : 0),
    cacheRead: count('cachedContentTokenCount'),
    toolInput: count('toolUsePromptTokenCount'),
    reasoning: count('thoughtsTokenCount'),
    audioInput: tokensOfMedium(usage, 'promptTokensDetails', 'AUDIO'),
    imageInput: tokensOfMedium(usage, 'promptTokensDetails', 'IMAGE'),
    audioOutput: tokensOfMedium(usage, 'candidatesTokensDetails', 'AUDIO'),
    imageOutput: tokensOfMedium(usage, 'candidatesTokensDetails', 'IMAGE'),
    totals: total === undefined ? [] : [total],
  };
};

const countsOfClaude = (usage: unknown) => {
  const count = (name: string) => countAt(usage, name);
  return {
    input: count('input_tokens'),
    output: count('output_tokens'),
    cacheRead: count('cache_read_input_tokens'),
    cacheWrite: count('cache_creation_input_tokens'),
    hourWrite: countAt(usage, 'cache_creation', 'ephemeral_1h_input_tokens'),
    searches: countAt(usage, 'server_tool_use', 'web_search_requests'),
  };
};

/**
 * The event of a call in a request-response log of Vertex AI: Gemini, or Claude, which is a partner model. Content is not
 * read. `labels` of the request name the owner and the service. JSON in its columns spends `items`.
 */
export const eventOfVertex = (
  row: unknown,
  receivedAt: string,
  warnings: Warnings,
  items: ItemBudget,
): Record<string, unknown> => {
  const response = responseOf(row, items);
  const gemini = memberAt(response, 'usageMetadata');
  const model = modelOf(row);
  const counts = decideCounts(
    gemini === undefined ? countsOfClaude(memberAt(response, 'usage')) : countsOfGemini(gemini),
    { source: 'vertex log', model: gemini === undefined ? 'claude' : model },
    warnings,
  );
  const requestId = String(memberAt(row, 'request_id') ?? '');
  const time = timeOf(row);
  return definedMembers({
    event_id: callIdOf(
      textAt(response, 'responseId') ?? textAt(response, 'id'),
      'vertex',
      requestId,
      time ?? '',
      textAt(row, 'endpoint') ?? '',
    ),
    ingestion_layer: 'provider_log',
    source_system: 'vertex_ai',
    ingestion_timestamp: receivedAt,
    occurred_at: time,
    provider: 'gcp.vertex_ai',
    requested_model: requiredLabel('requested_model', model, 256, warnings),
    served_model: textAt(response, 'modelVersion'),
    operation: model !== undefined && /embed/.test(model) ? 'embeddings' : 'chat',
    region: regionOf(row),
    ...membersOf(counts),
    ...callerMetadata(jsonColumn(row, 'full_request', items), 'labels'),
    status: memberAt(response, 'error') === undefined ? undefined : 'error',
  });
};
