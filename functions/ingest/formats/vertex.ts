import type { ItemBudget } from '../../platform/shared/itemBudget.ts';
import { parseContentJson } from '../../platform/shared/json.ts';
import { callerMetadata } from './callerMetadata.ts';
import {
  identityMembers,
  membersOf,
  otherUsageMembers,
  requiredLabel,
  type Warnings,
} from './observedCall.ts';
import { iterationTokens, providerUsage } from './providerUsage.ts';
import { decideCounts } from './tokenCounts.ts';
import { countAt, definedMembers, memberAt, textAt, toTimestamp, unreadCounts } from './values.ts';

/**
 * Whether a JSON value is a row of the request-response log of Vertex AI
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/request-response-logging), which is a BigQuery
 * table.
 */
export const isVertexRow = (value: unknown): boolean =>
  (textAt(value, 'logging_time') ?? textAt(value, 'endpoint')) !== undefined &&
  memberAt(value, 'full_response') !== undefined;

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

/**
 * How many of its searches a call pays for: since Gemini 3 for each query of grounding, before that once.
 * https://ai.google.dev/gemini-api/docs/pricing
 */
export const chargedSearches = (model: string | undefined, searches: number): number =>
  /gemini-[12]/.test(model ?? '') ? Math.min(searches, 1) : searches;

/** Queries of grounding. */
export const groundedSearches = (response: unknown): number | undefined => {
  const candidates = memberAt(response, 'candidates');
  if (!Array.isArray(candidates)) return undefined;
  const queries = candidates.flatMap((candidate) => {
    const list = memberAt(candidate, 'groundingMetadata', 'webSearchQueries');
    return Array.isArray(list) ? [list.length] : [];
  });
  return queries.reduce((sum, length) => sum + length, 0);
};

/** Counts of `usageMetadata` that are read, and names of counts in the usage of Claude. */
const READ: ReadonlySet<string> = new Set([
  'promptTokenCount',
  'candidatesTokenCount',
  'totalTokenCount',
  'cachedContentTokenCount',
  'toolUsePromptTokenCount',
  'thoughtsTokenCount',
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
]);

/** The tier of `trafficType`: ON_DEMAND, ON_DEMAND_FLEX, ON_DEMAND_PRIORITY or PROVISIONED_THROUGHPUT. */
const tierOf = (usage: unknown): string | undefined => {
  const type = textAt(usage, 'trafficType')?.toLowerCase();
  if (type === undefined || type === 'traffic_type_unspecified' || type === 'on_demand') return undefined;
  return type.replace(/^on_demand_/, '').slice(0, 32);
};

const countsOfGemini = (response: unknown) => {
  const usage = memberAt(response, 'usageMetadata');
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
    cachedAudio: tokensOfMedium(usage, 'cacheTokensDetails', 'AUDIO'),
    imageInput: tokensOfMedium(usage, 'promptTokensDetails', 'IMAGE'),
    audioOutput: tokensOfMedium(usage, 'candidatesTokensDetails', 'AUDIO'),
    imageOutput: tokensOfMedium(usage, 'candidatesTokensDetails', 'IMAGE'),
    searches: chargedSearches(textAt(response, 'modelVersion'), groundedSearches(response) ?? 0),
    totals: total === undefined ? [] : [total],
  };
};

const countsOfClaude = (usage: unknown) => {
  const count = (name: string) => {
    const [stated, more] = [countAt(usage, name), iterationTokens(usage, name, 'compaction')];
    return more === 0 ? stated : (stated ?? 0) + more;
  };
  const writtenFor = (time: '5m' | '1h') => {
    const name = `ephemeral_${time}_input_tokens`;
    const stated = countAt(usage, 'cache_creation', name);
    return stated === undefined ? undefined : stated + iterationTokens(usage, name, 'compaction');
  };
  return {
    input: count('input_tokens'),
    output: count('output_tokens'),
    cacheRead: count('cache_read_input_tokens'),
    cacheWrite: count('cache_creation_input_tokens'),
    hourWrite: writtenFor('1h'),
    fiveMinuteWrite: writtenFor('5m'),
    searches: providerUsage(usage).searches,
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
    gemini === undefined ? countsOfClaude(memberAt(response, 'usage')) : countsOfGemini(response),
    { source: 'vertex log', model: gemini === undefined ? 'claude' : model },
    warnings,
  );
  const stated = providerUsage(memberAt(response, 'usage'));
  const unread = unreadCounts(gemini ?? memberAt(response, 'usage'), READ);
  const requestId = String(memberAt(row, 'request_id') ?? '');
  const time = timeOf(row);
  return definedMembers({
    ...identityMembers(
      { responses: [textAt(response, 'responseId') ?? textAt(response, 'id')] },
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
    service_tier: tierOf(gemini) ?? stated.tier,
    ...membersOf(counts),
    ...otherUsageMembers(stated.other, [...unread, ...stated.unread]),
    ...callerMetadata(jsonColumn(row, 'full_request', items), 'labels'),
    status: memberAt(response, 'error') === undefined ? undefined : 'error',
  });
};
