import type { Attributes } from '../otlp/messages.ts';
import type { ProducerFixture } from './fixture.ts';

const COUNTS = { input_tokens: 1_000, output_tokens: 200 };
const CACHED = { cached_input_tokens: 400, ...COUNTS };

/** `snow.ai.observability.agent.planning.token_count.…` */
const cortex = (counts: Readonly<Record<string, number>>): Attributes =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [
      `snow.ai.observability.agent.planning.token_count.${name}`,
      count,
    ]),
  );

/** Servers of models, data platforms, and what names its attributes in a namespace of its own. */
export const platforms: readonly ProducerFixture[] = [
  {
    producer: 'Claude SDK and Claude API',
    path: 'spans',
    source: 'https://platform.claude.com/docs/en/api/opentelemetry/spans, PostHog/posthog ai/otel anthropic',
    scope: 'com.anthropic.sdk.python',
    attributes: {
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'claude-sonnet-4-5',
      'anthropic.request.id': 'req_011CQ7Vn2bqK9xWm4tYpZs8d',
      // Without the tokens that summarised the context, which are billed too.
      'gen_ai.usage.input_tokens': 900,
      'gen_ai.usage.output_tokens': 150,
      'anthropic.usage.compaction.input_tokens': 100,
      'anthropic.usage.compaction.output_tokens': 50,
      'gen_ai.usage.cache_read.input_tokens': 400,
      'gen_ai.usage.cache_write.input_tokens': 300,
      'anthropic.usage.cache_creation.ephemeral_5m_input_tokens': 200,
      'anthropic.usage.cache_creation.ephemeral_1h_input_tokens': 100,
    },
    expect: {
      provider: 'anthropic',
      id_basis: 'request.req',
      cache_write_tokens: 300,
      cache_write_1h_tokens: 100,
      ...CACHED,
    },
  },
  {
    producer: 'SGLang',
    path: 'spans',
    source: 'sgl-project/sglang python/sglang/srt/observability/trace.py',
    scope: 'sglang server',
    resource: { 'service.name': 'sglang' },
    kind: 1,
    attributes: {
      rid: 'c0ffee11223344556677889900aabbcc',
      module: 'sglang::tokenizer',
      'gen_ai.request.id': 'c0ffee11223344556677889900aabbcc',
      'gen_ai.response.model': 'meta-llama/Llama-3.1-8B-Instruct',
      'gen_ai.usage.prompt_tokens': 1_000,
      'gen_ai.usage.cached_tokens': 400,
      'gen_ai.usage.completion_tokens': 200,
      'gen_ai.latency.e2e': 1.7,
    },
    expect: {
      requested_model: 'meta-llama/Llama-3.1-8B-Instruct',
      call_ids: ['c0ffee11223344556677889900aabbcc'],
      ...CACHED,
    },
  },
  {
    producer: 'Snowflake Cortex agents',
    path: 'spans',
    source: 'rows of SNOWFLAKE.LOCAL.AI_OBSERVABILITY_EVENTS, as bridges to OpenTelemetry send them',
    scope: 'snowflake.cortex.agent',
    kind: 1,
    attributes: {
      'snow.ai.observability.agent.planning.model': 'claude-4-sonnet',
      ...cortex({ input: 1_000, output: 200, total: 1_200, cache_read_input: 400, cache_write_input: 0 }),
    },
    expect: { requested_model: 'claude-4-sonnet', ...CACHED },
  },
  {
    producer: 'TruLens',
    path: 'spans',
    source: 'truera/trulens src/otel/semconv trace.py, SpanAttributes.COST',
    scope: 'trulens.core.otel.instrument',
    kind: 1,
    attributes: {
      'ai.observability.span_type': 'generation',
      'ai.observability.cost.model': 'gpt-4o',
      'ai.observability.cost.num_prompt_tokens': 1_000,
      'ai.observability.cost.num_completion_tokens': 200,
      'ai.observability.cost.num_tokens': 1_200,
      'ai.observability.cost.cost': 0.0045,
      'ai.observability.cost.cost_currency': 'USD',
    },
    expect: { requested_model: 'gpt-4o', estimated_cost_usd: '0.0045', cost_source: 'estimate', ...COUNTS },
  },
  {
    producer: 'TrueFoundry AI Gateway',
    path: 'spans',
    source: 'https://www.truefoundry.com/docs/ai-gateway/fetch-request-logs-span-attributes',
    scope: 'tfy-llm-gateway',
    resource: { 'service.name': 'tfy-llm-gateway' },
    attributes: {
      'tfy.span_type': 'Model',
      'tfy.model.request_type': 'ChatCompletion',
      'tfy.model.name': 'gpt-4o',
      'tfy.model.fqn': 'truefoundry:openai:main:model:gpt-4o',
      'tfy.model.metric.input_tokens': 1_000,
      'tfy.model.metric.output_tokens': 200,
      'tfy.model.metric.cache_read_input_tokens': 400,
      'tfy.model.metric.latency_in_ms': 900,
      'tfy.model.metric.cost_in_usd': 0.004,
    },
    expect: { requested_model: 'gpt-4o', operation: 'chat', estimated_cost_usd: '0.004', ...CACHED },
  },
  {
    producer: 'Dify, OpenTelemetry extension',
    path: 'spans',
    source: 'langgenius/dify api/extensions/otel/parser/llm.py, the provider is the id of a plugin',
    scope: 'dify',
    kind: 1,
    attributes: {
      'gen_ai.span.kind': 'LLM',
      'gen_ai.framework': 'dify',
      'gen_ai.provider.name': 'langgenius/azure_openai/azure_openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 1_000,
      'gen_ai.usage.output_tokens': 200,
      'gen_ai.usage.total_tokens': 1_200,
    },
    expect: { provider: 'azure_openai', requested_model: 'gpt-4o', ...COUNTS },
  },
  {
    producer: 'Goose',
    path: 'spans',
    source: 'block/goose crates/goose/src/tracing/provider_generation.rs',
    scope: 'goose',
    resource: { 'service.name': 'goose' },
    kind: 1,
    attributes: {
      observation_type: 'GENERATION',
      'session.id': '20261101_1',
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      usage_details_json: '{"input":1000,"output":200,"total":1200,"cache_read_input_tokens":400}',
      cost_details_json: '{"total":0.00492}',
    },
    expect: {
      provider: 'anthropic',
      requested_model: 'claude-sonnet-4-5',
      estimated_cost_usd: '0.00492',
      ...CACHED,
    },
  },
  {
    producer: 'Cursor',
    path: 'log events',
    source: 'https://cursor.com/docs/enterprise/opentelemetry-export/wire, and readers of it',
    scope: 'cursor.telemetry',
    resource: { 'service.name': 'cursor', 'cursor.surface': 'cli' },
    attributes: {
      'cursor.event.id': 'customer-telemetry:v1:ev-1',
      'cursor.request.id': 'b7d3e0f4-8a1b-4a9e-8f57-5f8ec6a5a7b1',
      'cursor.model.name': 'claude-4.5-sonnet',
      // Counts of the cache lie beside the input.
      'cursor.api.request.input_tokens': 300,
      'cursor.api.request.output_tokens': 200,
      'cursor.api.request.cache_read_tokens': 400,
      'cursor.api.request.cache_creation_tokens': 300,
      'cursor.api.billable': true,
    },
    expect: {
      requested_model: 'claude-4.5-sonnet',
      attributed_service: 'cursor',
      cache_write_tokens: 300,
      ...CACHED,
    },
  },
];
