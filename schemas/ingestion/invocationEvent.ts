import * as z from 'zod';
import { CONFIDENCE_CEILING, DecimalString, label, Timestamp, TokenCount } from '../values.ts';

export const PathwayCategory = z.enum([
  'application_direct',
  'gateway_mediated',
  'proxy_observed',
  'agent_workflow',
  'batch_pipeline',
  'embedded_saas',
  'unknown',
]);
export type PathwayCategory = z.infer<typeof PathwayCategory>;

/** The producer's own split of what a call cost, in USD by token kind. A stated total wins over the sum of its parts. */
export const CostBreakdown = z.object({
  input: DecimalString.optional(),
  cached_input: DecimalString.optional(),
  cache_write: DecimalString.optional(),
  output: DecimalString.optional(),
  request: DecimalString.optional(),
});

/** Each member by itself; see {@link InvocationEvent} for what must hold between them. */
export const InvocationEventFields = z.object({
  event_id: z
    .string()
    .regex(
      /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
      'must be UUID-shaped',
    )
    .toLowerCase()
    .meta({
      description: 'Unique per event; stays the same on every retry and makes exactly one record',
      example: '6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c11',
    }),
  ingestion_layer: label(64).meta({ description: 'Capture layer', example: 'gateway' }),
  ingestion_timestamp: Timestamp.meta({ description: 'When the capture layer saw the call' }),
  provider: label(64).meta({ example: 'openai' }),
  requested_model: label(256).meta({ example: 'gpt-4o' }),
  served_model: label(256).optional().meta({ description: 'The model that answered, where it differs' }),
  operation: label(64)
    .optional()
    .meta({ description: 'OpenTelemetry GenAI operation name', example: 'chat' }),
  occurred_at: Timestamp.optional().meta({
    description: 'When the call was made; default ingestion_timestamp',
  }),
  region: label(64)
    .optional()
    .meta({ description: 'Cloud region that served the call', example: 'us-east-1' }),
  input_tokens: TokenCount.optional().meta({ description: 'Everything read, cached tokens included' }),
  cached_input_tokens: TokenCount.optional().meta({ description: 'Part of input_tokens read from a cache' }),
  cache_write_tokens: TokenCount.optional().meta({ description: 'Part of input_tokens written to a cache' }),
  output_tokens: TokenCount.optional().meta({ description: 'Everything generated, reasoning included' }),
  reasoning_tokens: TokenCount.optional().meta({ description: 'Part of output_tokens spent on reasoning' }),
  service_tier: label(32).optional().meta({ description: 'Tier that served the call', example: 'priority' }),
  batch: z.boolean().optional().meta({ description: 'Served by a batch interface' }),
  estimated_cost_usd: DecimalString.optional().meta({
    description: "The producer's own cost; wins over the catalogue",
  }),
  cost_breakdown: CostBreakdown.optional(),
  energy_wh: DecimalString.optional().meta({
    description: "The producer's own measurement; wins over the estimate",
  }),
  carbon_gco2e: DecimalString.optional().meta({
    description: "The producer's own figure; wins over the estimate",
  }),
  latency_ms: z.int().min(0).max(86_400_000).optional(),
  attributed_identity: label(256).optional().meta({ example: 'team-search' }),
  attributed_service: label(256).optional().meta({ example: 'checkout-assistant' }),
  attribution_confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({
      description: `The producer's confidence in the two fields above; capped at ${CONFIDENCE_CEILING}`,
    }),
  trace_id: label(64).optional(),
  span_id: label(64).optional(),
  parent_span_id: label(64).optional(),
  k8s_namespace: label(253).optional(),
  k8s_workload: label(253).optional(),
  k8s_cluster: label(253).optional(),
  spiffe_id: z
    .string()
    .max(512)
    .regex(/^spiffe:\/\/[a-z0-9._-]{1,255}(?:\/[A-Za-z0-9._-]+)+$/, 'must be a SPIFFE id')
    .optional()
    .meta({ example: 'spiffe://prod.example.org/ns/search/sa/ranker' }),
  api_key_name: label(128)
    .optional()
    .meta({ description: 'Name (never the secret) of the provider key that paid' }),
  pathway_category: PathwayCategory.optional(),
  source_system: label(128).optional(),
  tags: z.array(label(64)).max(20).optional(),
  status: z
    .enum(['ok', 'error', 'incomplete'])
    .optional()
    .meta({ description: 'Outcome of the call; default ok' }),
});

/**
 * One inference call as a producer reports it, by HTTP or on the ingestion queue.
 * An allow-list: members not named here never pass the edge. There is no member for prompt or completion text.
 */
export const InvocationEvent = InvocationEventFields.superRefine((event, issues) => {
  const { input_tokens: input, output_tokens: output } = event;
  const cached = (event.cached_input_tokens ?? 0) + (event.cache_write_tokens ?? 0);
  if (input !== undefined && cached > input) {
    issues.addIssue({
      code: 'custom',
      path: ['cached_input_tokens'],
      message: 'cached_input_tokens and cache_write_tokens are parts of input_tokens and must not exceed it',
    });
  }
  if (output !== undefined && (event.reasoning_tokens ?? 0) > output) {
    issues.addIssue({
      code: 'custom',
      path: ['reasoning_tokens'],
      message: 'reasoning_tokens is a part of output_tokens and must not exceed it',
    });
  }
}).meta({ id: 'InvocationEvent' });
export type InvocationEvent = z.infer<typeof InvocationEvent>;

/** Every member the edge lets through. */
export const INVOCATION_EVENT_FIELDS: ReadonlySet<string> = new Set(Object.keys(InvocationEventFields.shape));
