import * as z from 'zod';
import { DAY_MS } from '../durations.ts';
import {
  CONFIDENCE_CEILING,
  DecimalString,
  dropConfidential,
  droppableLabel,
  droppableLabels,
  label,
  Timestamp,
  TokenCount,
} from '../values.ts';
import { checkTokenParts } from './tokenParts.ts';

export const PathwayCategory = z
  .enum([
    'application_direct',
    'gateway_mediated',
    'proxy_observed',
    'agent_workflow',
    'batch_pipeline',
    'embedded_saas',
    'unknown',
  ])
  .meta({ id: 'PathwayCategory' });
export type PathwayCategory = z.infer<typeof PathwayCategory>;

/** Outcome of a call. */
export const CallStatus = z.enum(['ok', 'error', 'incomplete']);

/** How a call is paid. Only metered calls are charged by use. */
export const BillingMode = z
  .enum(['metered', 'subscription', 'free', 'provisioned'])
  .meta({ id: 'BillingMode' });
export type BillingMode = z.infer<typeof BillingMode>;

/** Cost of a call by token kind in USD, as the producer reports it. A reported total takes precedence over the sum. */
export const CostBreakdown = z.object({
  input: DecimalString.optional(),
  cached_input: DecimalString.optional(),
  cache_write: DecimalString.optional(),
  output: DecimalString.optional(),
  request: DecimalString.optional(),
});

/** The most spans below a call that its event names. */
export const COVERED_SPANS_MAXIMUM = 8;

/** Members of an event. {@link InvocationEvent} adds the rules between members. */
export const InvocationEventFields = z.object({
  event_id: z
    .string()
    .regex(
      /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
      'must be UUID-shaped',
    )
    .toLowerCase()
    .meta({
      description:
        'Unique for each event and the same on every retry. Each event_id creates exactly one record',
      example: '6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c11',
    }),
  id_basis: z
    .string()
    .regex(/^(?:response|request|observation)(?:\.[a-z]{2,12})?$/, 'must be response, request or observation')
    .optional()
    .meta({
      description:
        'What event_id follows from, with the prefix of that id, if the source has no event ids. Another observer may report the call under another event_id, so it may be recognised by what is observed. Absent: event_id alone identifies the call',
      example: 'response.chatcmpl',
    }),
  call_ids: droppableLabels(128, 4).optional().meta({
    description:
      'Further ids of the call at its provider or gateway, such as that of the request beside that of the response. Events of different observers that share one report one call',
  }),
  ingestion_layer: label(64).meta({ description: 'Capture layer', example: 'gateway' }),
  ingestion_timestamp: Timestamp.meta({ description: 'When the capture layer observed the call' }),
  provider: label(64).meta({ example: 'openai' }),
  requested_model: label(256).meta({ example: 'gpt-4o' }),
  served_model: droppableLabel(256)
    .optional()
    .meta({ description: 'The model that served the call, if it differs from requested_model' }),
  operation: droppableLabel(64)
    .optional()
    .meta({ description: 'OpenTelemetry GenAI operation name', example: 'chat' }),
  occurred_at: Timestamp.optional().meta({
    description: 'When the call was made. Default: ingestion_timestamp',
  }),
  reported_time: Timestamp.optional().meta({
    description: 'Set by the service: the time by the clock of the producer, if the arrival replaced it',
  }),
  region: droppableLabel(64).optional().meta({
    description:
      'Cloud region that the call was sent to, or the area in which its data stay (us, eu, global). It decides the price',
    example: 'us-east-1',
  }),
  inference_region: droppableLabel(64).optional().meta({
    description:
      'Cloud region that ran the call, if it is not region. It decides the grid, and region the price',
    example: 'eu-north-1',
  }),
  server_address: droppableLabel(256).optional().meta({
    description: 'Host that the call was sent to. It tells which own nodes ran the call',
    example: 'vllm.internal',
  }),
  input_tokens: TokenCount.optional().meta({ description: 'All input tokens, including cached tokens' }),
  input_tokens_high: TokenCount.optional().meta({
    description:
      'Input tokens if the source counts cached tokens or others beside them. Only if that is unknown: the cost is then a range',
  }),
  cached_input_tokens: TokenCount.optional().meta({ description: 'Part of input_tokens read from a cache' }),
  cache_write_tokens: TokenCount.optional().meta({ description: 'Part of input_tokens written to a cache' }),
  cache_write_1h_tokens: TokenCount.optional().meta({
    description:
      'Part of cache_write_tokens that the cache keeps for an hour, which costs more than a shorter time',
  }),
  audio_input_tokens: TokenCount.optional().meta({ description: 'Part of input_tokens that is audio' }),
  cached_audio_input_tokens: TokenCount.optional().meta({
    description: 'Part of audio_input_tokens read from a cache',
  }),
  image_input_tokens: TokenCount.optional().meta({ description: 'Part of input_tokens that is images' }),
  output_tokens: TokenCount.optional().meta({ description: 'All output tokens, including reasoning' }),
  output_tokens_high: TokenCount.optional().meta({
    description:
      'Output tokens if the source counts reasoning beside them, or with the tokens that only its total has. Only if that is unknown: the cost is then a range',
  }),
  reasoning_tokens: TokenCount.optional().meta({ description: 'Part of output_tokens used for reasoning' }),
  audio_output_tokens: TokenCount.optional().meta({ description: 'Part of output_tokens that is audio' }),
  image_output_tokens: TokenCount.optional().meta({ description: 'Part of output_tokens that is images' }),
  web_searches: TokenCount.optional().meta({
    description: 'Web searches that the provider ran for the call and charges for',
  }),
  file_searches: TokenCount.optional().meta({
    description: 'Searches of files or vector stores that the provider ran for the call and charges for',
  }),
  code_executions: TokenCount.optional().meta({
    description: 'Sessions or runs of a code interpreter that the provider charges for',
  }),
  rerank_searches: TokenCount.optional().meta({ description: 'Searches of a rerank model' }),
  audio_seconds: TokenCount.optional().meta({ description: 'Seconds of audio that were read or generated' }),
  video_seconds: TokenCount.optional().meta({ description: 'Seconds of video that were read or generated' }),
  images: TokenCount.optional().meta({ description: 'Generated images' }),
  pages: TokenCount.optional().meta({ description: 'Pages of documents that were read' }),
  characters: TokenCount.optional().meta({ description: 'Characters of speech that was generated' }),
  unread_usage: droppableLabels(64, 10).optional().meta({
    description:
      'Names of counts for which an event has no member, each with its count if it is known (`video_tokens=1200`). They can set a price, so the cost is a range',
  }),
  service_tier: droppableLabel(32)
    .optional()
    .meta({ description: 'Tier that served the call', example: 'priority' }),
  retrieval: z.boolean().optional().meta({
    description:
      'True if a stored response was read. The event completes the record of its event_id, and never makes one',
  }),
  batch: z.boolean().optional().meta({ description: 'True if a batch API served the call' }),
  estimated_cost_usd: DecimalString.optional().meta({
    description:
      'Cost that the producer reports. Takes precedence over the price catalogue. A 0 for a call with usage counts only from a provider, for a failed call, or for a model that ends in :free',
  }),
  unread_cost: droppableLabel(64).optional().meta({ description: 'Name of a cost that may not be USD' }),
  cost_source: z.enum(['provider', 'estimate']).optional().meta({
    description:
      'Who determined the reported cost. provider: who charges for the call, exactly. estimate, as without this member: a client, from a price list. The cost is then a range with the list price, and a contract price takes precedence',
  }),
  billing_mode: BillingMode.optional().meta({
    description:
      'How the call is paid. Default: metered, or provisioned for a service_tier of prepaid capacity. A call that is not metered costs nothing unless a contract price names its mode; `explanation.cost.list_price_usd` is its worth',
  }),
  cost_breakdown: CostBreakdown.optional(),
  energy_wh: DecimalString.optional().meta({
    description:
      'Energy that the producer measured. Takes precedence over the estimate, unless the usage cannot explain it',
  }),
  carbon_gco2e: DecimalString.optional().meta({
    description:
      'Carbon that the producer reports. Takes precedence over the estimate, unless the usage cannot explain it',
  }),
  latency_ms: z.int().min(0).max(DAY_MS).optional(),
  attributed_identity: droppableLabel(256)
    .optional()
    .meta({ description: 'Who pays', example: 'team-search' }),
  end_user: droppableLabel(256).optional().meta({
    description: 'The person who uses the feature. The owner is another, unless a mapping names one',
  }),
  attributed_service: droppableLabel(256).optional().meta({ example: 'checkout-assistant' }),
  attribution_confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({
      description: `Confidence of the producer in attributed_identity and attributed_service. Values above ${CONFIDENCE_CEILING} are reduced to ${CONFIDENCE_CEILING}`,
    }),
  trace_id: droppableLabel(64).optional(),
  span_id: droppableLabel(64).optional(),
  parent_span_id: droppableLabel(64).optional(),
  caller_span_id: droppableLabel(64).optional().meta({
    description:
      'Set by the service: the nearest span above that its export does not have, if spans without a call of their own lie between. Default: parent_span_id',
  }),
  covered_span_ids: droppableLabels(64, COVERED_SPANS_MAXIMUM).optional().meta({
    description: 'Set by the service: spans below this one that report no call',
  }),
  k8s_namespace: droppableLabel(253).optional(),
  k8s_workload: droppableLabel(253).optional(),
  k8s_cluster: droppableLabel(253).optional(),
  spiffe_id: z
    .string()
    .max(512)
    .regex(/^spiffe:\/\/[a-z0-9._-]{1,255}(?:\/[A-Za-z0-9._-]+)+$/, 'must be a SPIFFE ID')
    .transform(dropConfidential)
    .optional()
    .meta({ example: 'spiffe://prod.example.org/ns/search/sa/ranker' }),
  api_key_name: droppableLabel(128)
    .optional()
    .meta({ description: 'Name of the provider API key that was billed. Never send the secret' }),
  pathway_category: PathwayCategory.optional(),
  source_system: droppableLabel(128).optional(),
  tags: droppableLabels(64, 20).optional(),
  status: CallStatus.optional().meta({ description: 'Outcome of the call. Default: ok' }),
});

/**
 * One inference call as a producer reports it, by HTTP or on the ingestion queue. The schema is an allow-list: ingestion
 * drops all other members. There is no member for prompt or completion text. An optional label that holds a secret or is as
 * long as a prompt is dropped too. A required one makes the event invalid. Ingestion repairs or drops an optional member that
 * this schema refuses, and keeps the event.
 */
export const InvocationEvent = InvocationEventFields.superRefine(checkTokenParts).meta({
  id: 'InvocationEvent',
  example: {
    event_id: '6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c11',
    ingestion_layer: 'gateway',
    ingestion_timestamp: '2026-03-01T09:30:00.000Z',
    provider: 'openai',
    requested_model: 'gpt-4o',
    input_tokens: 1_200,
    output_tokens: 180,
    attributed_identity: 'team-search',
    attributed_service: 'checkout-assistant',
  },
});
export type InvocationEvent = z.infer<typeof InvocationEvent>;

/** Names of all members that ingestion accepts. */
export const INVOCATION_EVENT_FIELDS: ReadonlySet<string> = new Set(Object.keys(InvocationEventFields.shape));
