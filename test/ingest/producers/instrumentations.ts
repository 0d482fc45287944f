import { conventions, GEN_AI, GPT_4O, PARTS, RESPONSE } from './conventions.ts';
import type { ProducerFixture } from './fixture.ts';

const OLD_PARTS = {
  'gen_ai.usage.cache_read_input_tokens': 400,
  'gen_ai.usage.cache_creation_input_tokens': 100,
  'gen_ai.usage.reasoning_tokens': 50,
};

export const instrumentations: readonly ProducerFixture[] = [
  {
    producer: 'Traceloop OpenLLMetry, chat',
    path: 'spans',
    source: 'traceloop/openllmetry opentelemetry-instrumentation-openai chat_wrappers.py',
    scope: 'opentelemetry.instrumentation.openai.v1',
    attributes: {
      'llm.request.type': 'chat',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.id': RESPONSE,
      'llm.usage.total_tokens': 1_200,
      ...GEN_AI,
      ...OLD_PARTS,
    },
    expect: { provider: 'openai', operation: 'chat', ...GPT_4O },
  },
  {
    producer: 'Traceloop OpenLLMetry, Responses',
    path: 'spans',
    source: 'traceloop/openllmetry opentelemetry-instrumentation-openai responses_wrappers.py',
    scope: 'opentelemetry.instrumentation.openai.v1',
    attributes: {
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.id': 'resp_0c1f8a9e7d6b5c4a3f2e1d0c',
      ...GEN_AI,
      ...OLD_PARTS,
    },
    expect: { provider: 'openai', operation: 'chat', ...GPT_4O },
  },
  {
    producer: 'Traceloop OpenLLMetry, Gemini',
    path: 'spans',
    source: 'traceloop/openllmetry opentelemetry-instrumentation-google-generativeai span_utils.py',
    scope: 'opentelemetry.instrumentation.google_generativeai',
    attributes: {
      ...conventions('gcp.gen_ai', 'gemini-2.5-pro'),
      'gen_ai.operation.name': 'generate_content',
      // Without the thoughts, which only the total has.
      'gen_ai.usage.output_tokens': 150,
      'gen_ai.usage.total_tokens': 1_200,
      'gen_ai.usage.cache_read.input_tokens': 400,
    },
    expect: { provider: 'gcp.gen_ai', cached_input_tokens: 400, output_tokens: 150, output_tokens_high: 200 },
  },
  {
    producer: 'OpenLIT',
    path: 'spans',
    source: 'openlit/openlit sdk/python/src/openlit/instrumentation/anthropic/utils.py',
    scope: 'openlit.otel.tracing',
    attributes: {
      ...conventions('anthropic', 'claude-sonnet-4-5'),
      'gen_ai.client.token.usage': 1_200,
      'gen_ai.usage.cache_read.input_tokens': 400,
      'gen_ai.usage.cache_creation.input_tokens': 0,
      'gen_ai.usage.cost': 0.0061,
    },
    // It passes on the counts of the provider. With more cached tokens than input, they are beside it.
    expect: {
      provider: 'anthropic',
      input_tokens: 1_000,
      input_tokens_high: 1_400,
      estimated_cost_usd: '0.0061',
    },
  },
  {
    producer: 'OpenLIT, images and audio',
    path: 'spans',
    source: 'openlit/openlit sdk/python/src/openlit/semcov GEN_AI_OPERATION_TYPE_IMAGE',
    scope: 'openlit.otel.tracing',
    attributes: {
      'gen_ai.operation.name': 'image',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'dall-e-3',
      'gen_ai.request.image_size': '1024x1024',
      'gen_ai.usage.cost': 0.04,
    },
    expect: { operation: 'image_generation', requested_model: 'dall-e-3', estimated_cost_usd: '0.04' },
  },
  {
    producer: 'Rig',
    path: 'spans',
    source: '0xPlaygrounds/rig rig-core/src/providers/openai/completion',
    scope: 'rig',
    attributes: { ...conventions('openai', 'gpt-4o'), 'gen_ai.usage.cached_tokens': 400 },
    expect: { provider: 'openai', cached_input_tokens: 400, ...GPT_4O },
  },
  {
    producer: 'LangSmith, OpenTelemetry export',
    path: 'spans',
    source: 'langchain-ai/langsmith-sdk python/langsmith/_internal/otel/_otel_exporter.py',
    scope: 'langsmith',
    attributes: {
      'langsmith.span.kind': 'llm',
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.id': RESPONSE,
      'gen_ai.response.service_tier': 'priority',
      'gen_ai.usage.total_tokens': 1_200,
      ...GEN_AI,
      // Objects as Python prints them.
      'gen_ai.usage.input_token_details': "{'cache_creation': 100, 'cache_read': 400}",
      'gen_ai.usage.output_token_details': "{'reasoning': 50}",
    },
    expect: { provider: 'openai', service_tier: 'priority', cached_input_tokens: 400, ...GPT_4O },
  },
  {
    producer: 'RubyLLM',
    path: 'spans',
    source: 'https://github.com/thoughtbot/opentelemetry-instrumentation-ruby_llm/pull/38',
    scope: 'OpenTelemetry::Instrumentation::RubyLLM',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 600,
      'gen_ai.usage.output_tokens': 200,
      'gen_ai.usage.cache_read.input_tokens': 400,
    },
    expect: { input_tokens: 600, input_tokens_high: 1_000, cached_input_tokens: 400 },
  },
  {
    producer: 'OpenTelemetry GenAI conventions',
    path: 'log events',
    source: 'open-telemetry/semantic-conventions-genai gen_ai.client.inference.operation.details',
    scope: 'opentelemetry.instrumentation.openai_v2',
    attributes: {
      'event.name': 'gen_ai.client.inference.operation.details',
      ...conventions('openai', 'gpt-4o'),
      'gen_ai.response.id': RESPONSE,
      ...PARTS,
    },
    expect: { provider: 'openai', ...GPT_4O },
  },
];
