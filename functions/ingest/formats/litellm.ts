import { isRetrieval } from './litellmCallType.ts';
import { countsOf, otherUsageOf, unreadOf } from './litellmUsage.ts';
import { endUserOf } from './litellmUser.ts';
import {
  costMembers,
  identityMembers,
  membersOf,
  otherUsageMembers,
  regionOf,
  requiredLabel,
  type Warnings,
} from './observedCall.ts';
import { modelOperationOf } from './operationNames.ts';
import { paysUpstream, providerUsage } from './providerUsage.ts';
import { definedMembers, memberAt, tagsOf, textAt, toAmount, toTimestamp } from './values.ts';

const BATCH = /batch$/;

/**
 * Whether a JSON value is a `StandardLoggingPayload` (https://docs.litellm.ai/docs/proxy/logging_spec), or a row of `LiteLLM_SpendLogs`,
 * which has other names for the id and the cost, times as text and flags as Python writes them.
 */
export const isLitellmPayload = (value: unknown): boolean =>
  textAt(value, 'call_type') !== undefined &&
  memberAt(value, 'startTime') !== undefined &&
  memberAt(value, 'model') !== undefined;

const durationOf = (start: unknown, end: unknown): number | undefined => {
  const [from, to] = [start, end].map((time) => Date.parse(toTimestamp(time) ?? ''));
  return from !== undefined && to !== undefined && to >= from ? to - from : undefined;
};

/** Whether the gateway has a price of 0 for the model, which its operator set or which is that of a local model. */
const isFree = (payload: unknown): boolean =>
  ['input_cost_per_token', 'output_cost_per_token'].every(
    (name) => memberAt(payload, 'model_map_information', 'model_map_value', name) === 0,
  );

/** A call that the cache of the gateway answered reached no model: it cost nothing. */
const impactOf = (payload: unknown) => {
  if (/^true$/i.test(String(memberAt(payload, 'cache_hit')))) {
    return { ...costMembers('0', true), energy_wh: '0', carbon_gco2e: '0' };
  }
  // LiteLLM reports 0 for a model whose price it does not know, sometimes with the reason here.
  const isUnknown = (memberAt(payload, 'response_cost_failure_debug_info') ?? null) !== null;
  const cost = isUnknown
    ? undefined
    : toAmount(memberAt(payload, 'response_cost') ?? memberAt(payload, 'spend'));
  const usage = memberAt(payload, 'metadata', 'usage_object');
  const { usd } = providerUsage(usage);
  if (paysUpstream(usage, cost)) return {};
  return usd === undefined ? costMembers(cost, cost === '0' && isFree(payload)) : costMembers(usd, true);
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
  const id = textAt(payload, 'id') ?? textAt(payload, 'request_id') ?? '';
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
    ...otherUsageMembers(otherUsageOf(payload, usage), unreadOf(usage)),
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
