import { isRetrieval } from './litellmCallType.ts';
import { endUserOf } from './litellmUser.ts';
import {
  costMembers,
  identityMembers,
  membersOf,
  type OtherUsage,
  otherUsageMembers,
  regionOf,
  requiredLabel,
  type Warnings,
} from './observedCall.ts';
import { modelOperationOf } from './operationNames.ts';
import { iterationTokens, providerUsage } from './providerUsage.ts';
import { decideCounts } from './tokenCounts.ts';
import {
  countAt,
  definedMembers,
  memberAt,
  tagsOf,
  textAt,
  toAmount,
  toCount,
  toTimestamp,
  unreadCounts,
} from './values.ts';

const BATCH = /batch$/;

/** Whether a JSON value is a `StandardLoggingPayload` (https://docs.litellm.ai/docs/proxy/logging_spec). */
export const isLitellmPayload = (value: unknown): boolean =>
  textAt(value, 'call_type') !== undefined &&
  memberAt(value, 'startTime') !== undefined &&
  memberAt(value, 'model') !== undefined;

const durationOf = (start: unknown, end: unknown): number | undefined => {
  if (typeof start !== 'number' || typeof end !== 'number' || !(end >= start)) return undefined;
  return Math.round((end - start) * 1_000);
};

const first = (...counts: readonly (number | undefined)[]) => counts.find((count) => count !== undefined);

const INPUT = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;

/** Tokens of iterations that the prompt leaves out. Later versions of LiteLLM add them. */
const leftOutOf = (payload: unknown, usage: unknown): { readonly input: number; readonly output: number } => {
  const inputOf = (which: 'own' | 'compaction') =>
    INPUT.reduce((sum, name) => sum + iterationTokens(usage, name, which), 0);
  const isLeftOut = (countAt(payload, 'prompt_tokens') ?? 0) < inputOf('own');
  return isLeftOut
    ? { input: inputOf('compaction'), output: iterationTokens(usage, 'output_tokens', 'compaction') }
    : { input: 0, output: 0 };
};

const plus = (count: number | undefined, more: number): number | undefined =>
  count === undefined ? undefined : count + more;

const countsOf = (payload: unknown, warnings: Warnings) => {
  const usage = memberAt(payload, 'metadata', 'usage_object');
  const leftOut = leftOutOf(payload, usage);
  return decideCounts(
    {
      input: plus(countAt(payload, 'prompt_tokens'), leftOut.input),
      output: plus(countAt(payload, 'completion_tokens'), leftOut.output),
      cacheRead: first(
        countAt(usage, 'cache_read_input_tokens'),
        countAt(usage, 'prompt_tokens_details', 'cached_tokens'),
      ),
      cacheWrite: first(
        countAt(usage, 'cache_creation_input_tokens'),
        countAt(usage, 'prompt_tokens_details', 'cache_creation_tokens'),
        countAt(usage, 'prompt_tokens_details', 'cache_write_tokens'),
      ),
      hourWrite: first(
        countAt(usage, 'prompt_tokens_details', 'cache_creation_token_details', 'ephemeral_1h_input_tokens'),
        countAt(usage, 'cache_creation', 'ephemeral_1h_input_tokens'),
      ),
      reasoning: first(
        countAt(usage, 'completion_tokens_details', 'reasoning_tokens'),
        countAt(usage, 'reasoning_tokens'),
      ),
      audioInput: countAt(usage, 'prompt_tokens_details', 'audio_tokens'),
      cachedAudio: countAt(usage, 'prompt_tokens_details', 'cached_tokens_details', 'audio_tokens'),
      imageInput: countAt(usage, 'prompt_tokens_details', 'image_tokens'),
      audioOutput: countAt(usage, 'completion_tokens_details', 'audio_tokens'),
      imageOutput: countAt(usage, 'completion_tokens_details', 'image_tokens'),
      totals: [plus(countAt(payload, 'total_tokens'), leftOut.input + leftOut.output) ?? []].flat(),
      searches: first(
        providerUsage(usage).searches,
        countAt(usage, 'prompt_tokens_details', 'web_search_requests'),
        countAt(usage, 'num_search_queries'),
      ),
    },
    { source: 'litellm', provider: textAt(payload, 'custom_llm_provider') },
    warnings,
  );
};

/** Counts of the usage that are read, or that count what others contain. */
const READ: ReadonlySet<string> = new Set([
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'reasoning_tokens',
  'num_search_queries',
  'search_units',
  'pages_processed',
  'seconds',
  'duration_seconds',
  'cost',
]);
const READ_DETAILS: ReadonlySet<string> = new Set([
  'cached_tokens',
  'cache_creation_tokens',
  'cache_write_tokens',
  'audio_tokens',
  'image_tokens',
  'text_tokens',
  'reasoning_tokens',
  'accepted_prediction_tokens',
  'rejected_prediction_tokens',
  'web_search_requests',
  'character_count',
  'image_count',
  'audio_length_seconds',
  'video_length_seconds',
]);

/** Seconds that a provider charges: begun ones count whole. */
const secondsAt = (value: unknown, ...path: readonly string[]): number | undefined => {
  const seconds = memberAt(value, ...path);
  return typeof seconds === 'number' && seconds > 0 ? toCount(Math.ceil(seconds)) : undefined;
};

/** What was used besides tokens. The number of images is a parameter of the request. */
const otherUsageOf = (payload: unknown, usage: unknown): OtherUsage => {
  const callType = textAt(payload, 'call_type') ?? '';
  const prompt = memberAt(usage, 'prompt_tokens_details');
  const seconds = first(secondsAt(usage, 'seconds'), secondsAt(usage, 'duration_seconds'));
  const isVideo = callType.includes('video');
  return {
    ...providerUsage(usage).other,
    rerank_searches: countAt(usage, 'search_units'),
    audio_seconds: first(isVideo ? undefined : seconds, secondsAt(prompt, 'audio_length_seconds')),
    video_seconds: first(isVideo ? seconds : undefined, secondsAt(prompt, 'video_length_seconds')),
    images: first(
      countAt(prompt, 'image_count'),
      /image_(?:generation|edit|variation)/.test(callType)
        ? (countAt(payload, 'model_parameters', 'n') ?? 1)
        : undefined,
    ),
    pages: countAt(usage, 'pages_processed'),
    characters: countAt(prompt, 'character_count'),
  };
};

/** Whether the gateway has a price of 0 for the model, which its operator set or which is that of a local model. */
const isFree = (payload: unknown): boolean =>
  ['input_cost_per_token', 'output_cost_per_token'].every(
    (name) => memberAt(payload, 'model_map_information', 'model_map_value', name) === 0,
  );

/** A call that the cache of the gateway answered reached no model: it cost nothing. */
const impactOf = (payload: unknown) => {
  if (memberAt(payload, 'cache_hit') === true) {
    return { ...costMembers('0', true), energy_wh: '0', carbon_gco2e: '0' };
  }
  // LiteLLM reports 0 for a model whose price it does not know, sometimes with the reason here.
  const isUnknown = (memberAt(payload, 'response_cost_failure_debug_info') ?? null) !== null;
  const cost = isUnknown ? undefined : toAmount(memberAt(payload, 'response_cost'));
  return costMembers(cost, cost === '0' && isFree(payload));
};

/** Headers in which providers return the id of a request. LiteLLM keeps them under a prefix. */
const REQUEST_ID_HEADERS = ['request-id', 'x-request-id', 'x-amzn-requestid', 'apim-request-id'];
const requestIdsOf = (payload: unknown): readonly (string | undefined)[] =>
  REQUEST_ID_HEADERS.map((name) =>
    textAt(payload, 'hidden_params', 'additional_headers', `llm_provider-${name}`),
  );

/** The event of a call that LiteLLM logged. Messages, responses and errors in the payload are not read. */
export const eventOfLitellm = (
  payload: unknown,
  receivedAt: string,
  warnings: Warnings,
): Record<string, unknown> => {
  const id = textAt(payload, 'id') ?? '';
  // The poll of a batch names no model. The models of its calls are here.
  const model = textAt(payload, 'model') ?? textAt(payload, 'hidden_params', 'batch_models', '0');
  const requested = requiredLabel('requested_model', textAt(payload, 'model_group') ?? model, 256, warnings);
  const callType = textAt(payload, 'call_type') ?? '';
  const team = textAt(payload, 'metadata', 'user_api_key_team_alias');
  const tags = memberAt(payload, 'request_tags');
  const start = memberAt(payload, 'startTime');
  const trace = textAt(payload, 'trace_id');
  const usage = memberAt(payload, 'metadata', 'usage_object');
  const provider = providerUsage(usage);
  const isFailure = textAt(payload, 'status') === 'failure';
  return definedMembers({
    // A failed call has no response. Its id is of the request, and each retry has the same.
    ...identityMembers(
      isFailure ? {} : { responses: [id], mentioned: requestIdsOf(payload) },
      'litellm',
      id,
      String(start),
      // Calls without an id that begin together differ in these.
      ...(id === '' ? ['endTime', 'model', 'prompt_tokens', 'completion_tokens'] : []).map((name) =>
        String(memberAt(payload, name)),
      ),
    ),
    ingestion_layer: 'gateway',
    source_system: 'litellm',
    ingestion_timestamp: receivedAt,
    occurred_at: toTimestamp(start),
    provider: requiredLabel('provider', textAt(payload, 'custom_llm_provider'), 64, warnings),
    requested_model: requested,
    served_model: model === requested ? undefined : textAt(payload, 'model'),
    operation: modelOperationOf(callType),
    region: regionOf(textAt(payload, 'api_base')) ?? provider.area,
    inference_region: textAt(payload, 'hidden_params', 'additional_headers', 'llm_provider-x-ms-region'),
    service_tier: provider.tier ?? textAt(payload, 'model_parameters', 'service_tier'),
    ...membersOf(countsOf(payload, warnings)),
    ...otherUsageMembers(otherUsageOf(payload, usage), [
      ...unreadCounts(usage, READ),
      ...unreadCounts(memberAt(usage, 'prompt_tokens_details'), READ_DETAILS),
      ...unreadCounts(memberAt(usage, 'completion_tokens_details'), READ_DETAILS),
      ...provider.unread,
    ]),
    ...impactOf(payload),
    latency_ms: durationOf(start, memberAt(payload, 'endTime')),
    attributed_identity: team,
    attributed_service: team,
    end_user: endUserOf(payload),
    api_key_name: textAt(payload, 'metadata', 'user_api_key_alias'),
    // LiteLLM adds the client's user agent to the tags, which says nothing about the owner.
    tags: Array.isArray(tags)
      ? tagsOf(tags.filter((tag) => typeof tag === 'string' && !tag.startsWith('User-Agent:')))
      : undefined,
    trace_id: trace === id ? undefined : trace,
    retrieval: isRetrieval(callType) ? true : undefined,
    batch: BATCH.test(callType) ? true : undefined,
    status: isFailure ? 'error' : undefined,
  });
};
