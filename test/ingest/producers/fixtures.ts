import type { Attributes } from '../otlp/messages.ts';

/** What one producer sends for one call, by the names in its source. */
export interface ProducerFixture {
  readonly producer: string;
  /** How the producer sends it. */
  readonly path: 'spans' | 'log events' | 'call logs';
  /** Where its names come from. */
  readonly source: string;
  readonly scope?: string;
  readonly resource?: Attributes;
  readonly kind?: number;
  readonly attributes: Attributes;
  /** Members of the event that the call becomes. */
  readonly expect: Readonly<Record<string, unknown>>;
}

const RESPONSE = 'chatcmpl-CNq8YkF2b3X7pLw0';
const COUNTS = { input_tokens: 1_000, output_tokens: 200 };
const GEN_AI = { 'gen_ai.usage.input_tokens': 1_000, 'gen_ai.usage.output_tokens': 200 };
const OPENINFERENCE = {
  'openinference.span.kind': 'LLM',
  'llm.model_name': 'gpt-4o',
  'llm.token_count.prompt': 1_000,
  'llm.token_count.completion': 200,
  'llm.token_count.total': 1_200,
  'llm.token_count.prompt_details.cache_read': 400,
  'llm.token_count.prompt_details.cache_write': 100,
  'llm.token_count.completion_details.reasoning': 50,
};
/** Optional counts of the conventions, and under the names before them. */
const PARTS = {
  'gen_ai.usage.cache_read.input_tokens': 400,
  'gen_ai.usage.cache_creation.input_tokens': 100,
  'gen_ai.usage.reasoning.output_tokens': 50,
};
const OLD_PARTS = {
  'gen_ai.usage.cache_read_input_tokens': 400,
  'gen_ai.usage.cache_creation_input_tokens': 100,
  'gen_ai.usage.reasoning_tokens': 50,
};
const conventions = (provider: string, model: string): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': provider,
  'gen_ai.request.model': model,
  ...GEN_AI,
});
const GPT_4O = { requested_model: 'gpt-4o', ...COUNTS };

const openInference = (
  producer: string,
  source: string,
  scope: string,
  more: Attributes = {},
): ProducerFixture => ({
  producer: `${producer}, by OpenInference`,
  path: 'spans',
  source: `Arize-ai/openinference ${source}`,
  scope: `openinference.instrumentation.${scope}`,
  attributes: { ...OPENINFERENCE, ...more },
  expect: GPT_4O,
});

const frameworks: readonly ProducerFixture[] = [
  openInference('OpenAI SDK', 'openinference-instrumentation-openai', 'openai', {
    'llm.provider': 'openai',
  }),
  openInference('OpenAI Agents SDK', 'openinference-instrumentation-openai-agents', 'openai_agents', {
    'llm.provider': 'openai',
  }),
  openInference('LangChain and LangGraph', 'openinference-instrumentation-langchain', 'langchain'),
  openInference('LlamaIndex', 'openinference-instrumentation-llama-index', 'llama_index'),
  openInference('Haystack', 'openinference-instrumentation-haystack', 'haystack'),
  openInference('CrewAI', 'openinference-instrumentation-litellm', 'litellm', { 'llm.provider': 'openai' }),
  openInference('Agno', 'openinference-instrumentation-agno', 'agno', { 'llm.provider': 'OpenAI' }),
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
    producer: 'LangSmith, OpenTelemetry export',
    path: 'spans',
    source: 'langchain-ai/langsmith-sdk python/langsmith/_internal/otel/_otel_exporter.py',
    scope: 'langsmith',
    attributes: {
      'langsmith.span.kind': 'llm',
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.total_tokens': 1_200,
      ...GEN_AI,
    },
    expect: { provider: 'openai', ...GPT_4O },
  },
  {
    producer: 'Strands Agents',
    path: 'spans',
    source: 'strands-agents/sdk-python src/strands/telemetry/tracer.py',
    scope: 'strands.telemetry.tracer',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'strands-agents',
      'gen_ai.request.model': 'us.anthropic.claude-sonnet-4-20250514-v1:0',
      'gen_ai.usage.total_tokens': 1_200,
      ...GEN_AI,
      'gen_ai.usage.cache_read_input_tokens': 0,
      'gen_ai.usage.cache_write_input_tokens': 0,
    },
    expect: { requested_model: 'us.anthropic.claude-sonnet-4-20250514-v1:0', ...COUNTS },
  },
  {
    producer: 'Google ADK',
    path: 'spans',
    source: 'google/adk-python src/google/adk/telemetry/tracing.py',
    scope: 'gcp.vertex.agent',
    kind: 1,
    attributes: {
      'gen_ai.system': 'gcp.vertex.agent',
      'gen_ai.request.model': 'gemini-2.5-flash',
      ...GEN_AI,
    },
    expect: {
      provider: 'gcp.vertex.agent',
      requested_model: 'gemini-2.5-flash',
      operation: 'chat',
      ...COUNTS,
    },
  },
  {
    producer: 'Google GenAI SDK',
    path: 'spans',
    source: 'open-telemetry/opentelemetry-python-contrib opentelemetry-instrumentation-google-genai',
    scope: 'opentelemetry.instrumentation.google_genai',
    attributes: {
      ...conventions('gcp.gemini', 'gemini-2.5-flash'),
      'gen_ai.operation.name': 'generate_content',
      ...PARTS,
    },
    expect: { provider: 'gcp.gemini', operation: 'generate_content', ...COUNTS },
  },
  {
    producer: 'Semantic Kernel',
    path: 'spans',
    source: 'microsoft/semantic-kernel dotnet ModelDiagnostics.cs',
    scope: 'Microsoft.SemanticKernel.Diagnostics',
    attributes: {
      'gen_ai.operation.name': 'chat.completions',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.id': RESPONSE,
      'gen_ai.response.prompt_tokens': 1_000,
      'gen_ai.response.completion_tokens': 200,
    },
    expect: { provider: 'openai', operation: 'chat', ...GPT_4O },
  },
  {
    producer: 'Microsoft.Extensions.AI',
    path: 'spans',
    source: 'dotnet/extensions OpenTelemetryChatClient.cs, until mid-2025',
    scope: 'Experimental.Microsoft.Extensions.AI',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.id': RESPONSE,
      'gen_ai.response.input_tokens': 1_000,
      'gen_ai.response.output_tokens': 200,
    },
    expect: { provider: 'openai', operation: 'chat', ...GPT_4O },
  },
  {
    producer: 'Spring AI',
    path: 'spans',
    source: 'spring-projects/spring-ai ChatModelObservationDocumentation',
    scope: 'org.springframework.boot',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.id': RESPONSE,
      'gen_ai.usage.input_tokens': '1000',
      'gen_ai.usage.output_tokens': '200',
      'gen_ai.usage.total_tokens': '1200',
    },
    expect: { provider: 'openai', ...GPT_4O },
  },
  {
    producer: 'Pydantic AI and Logfire',
    path: 'spans',
    source: 'pydantic/pydantic-ai pydantic_ai_slim/pydantic_ai/models/instrumented.py',
    scope: 'pydantic-ai',
    attributes: {
      ...conventions('openai', 'gpt-4o'),
      'gen_ai.response.id': RESPONSE,
      'operation.cost': 0.0045,
    },
    expect: { provider: 'openai', estimated_cost_usd: '0.0045', ...GPT_4O },
  },
  {
    producer: 'Mastra',
    path: 'spans',
    source: 'mastra-ai/mastra observability/otel-exporter',
    scope: '@mastra/otel-exporter',
    attributes: { ...conventions('openai', 'gpt-4o'), ...PARTS },
    expect: { provider: 'openai', ...GPT_4O },
  },
  {
    producer: 'Vercel AI SDK 4',
    path: 'spans',
    source: 'vercel/ai packages/ai/core/generate-text',
    scope: 'ai',
    attributes: {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.model.provider': 'openai.chat',
      'ai.model.id': 'gpt-4o',
      'ai.response.id': RESPONSE,
      'ai.usage.promptTokens': 1_000,
      'ai.usage.completionTokens': 200,
    },
    expect: { provider: 'openai', ...GPT_4O },
  },
  {
    producer: 'Vercel AI SDK 5 and 6, OpenCode',
    path: 'spans',
    source: 'vercel/ai packages/ai/src/generate-text',
    scope: 'ai',
    attributes: {
      'ai.operationId': 'ai.streamText.doStream',
      'ai.model.provider': 'gateway',
      'ai.model.id': 'openai/gpt-4o',
      'ai.response.id': RESPONSE,
      'ai.usage.inputTokens': 1_000,
      'ai.usage.outputTokens': 200,
      'ai.usage.totalTokens': 1_200,
      'ai.usage.cachedInputTokens': 400,
      'ai.usage.reasoningTokens': 50,
    },
    expect: { provider: 'gateway', requested_model: 'openai/gpt-4o', ...COUNTS },
  },
  {
    producer: 'Vercel AI SDK 7',
    path: 'spans',
    source: 'vercel/ai packages/otel',
    scope: 'gen_ai',
    attributes: { ...conventions('openai', 'gpt-4o'), ...PARTS },
    expect: { provider: 'openai', ...GPT_4O },
  },
  {
    producer: 'MLflow',
    path: 'spans',
    source: 'mlflow/mlflow mlflow/tracing/constant.py, attributes as JSON text',
    scope: 'mlflow',
    attributes: {
      'mlflow.spanType': '"CHAT_MODEL"',
      'mlflow.llm.model': '"gpt-4o"',
      'mlflow.llm.provider': '"openai"',
      'mlflow.chat.tokenUsage': '{"input_tokens": 1000, "output_tokens": 200, "total_tokens": 1200}',
    },
    expect: { provider: 'openai', ...GPT_4O },
  },
  {
    producer: 'Langfuse SDK',
    path: 'spans',
    source: 'langfuse/langfuse-python langfuse/_client/attributes.py',
    scope: 'langfuse-sdk',
    attributes: {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gpt-4o',
      'langfuse.observation.usage_details':
        '{"input": 600, "output": 200, "input_cached_tokens": 400, "total": 1200}',
      'langfuse.user.id': 'ann',
    },
    expect: { end_user: 'ann', cached_input_tokens: 400, ...GPT_4O },
  },
  {
    producer: 'Dify',
    path: 'spans',
    source: 'langgenius/dify aliyun_trace/entities/semconv.py',
    scope: 'dify-sdk',
    attributes: {
      'gen_ai.span.kind': 'LLM',
      'gen_ai.model_name': 'gpt-4o',
      'gen_ai.system': 'openai',
      ...GEN_AI,
    },
    expect: { provider: 'openai', ...GPT_4O },
  },
  {
    producer: 'Braintrust SDK',
    path: 'spans',
    source: 'braintrustdata/braintrust-sdk-go and -ruby, attributes as JSON text',
    scope: 'braintrust',
    attributes: {
      'braintrust.span_attributes': '{"type": "llm"}',
      'braintrust.metadata': '{"provider": "openai", "model": "gpt-4o", "temperature": 0.2}',
      'braintrust.metrics': '{"prompt_tokens": 1000, "completion_tokens": 200, "tokens": 1200}',
    },
    expect: { provider: 'openai', ...GPT_4O },
  },
  {
    producer: 'Laminar',
    path: 'spans',
    source: 'lmnr-ai/lmnr-python',
    scope: 'lmnr',
    attributes: { 'lmnr.span.type': 'LLM', 'gen_ai.response.model': 'gpt-4o', ...GEN_AI },
    expect: GPT_4O,
  },
  {
    producer: 'LangWatch',
    path: 'spans',
    source: 'langwatch/langwatch python-sdk attributes.py',
    scope: 'langwatch',
    attributes: {
      'langwatch.span.type': 'llm',
      'gen_ai.request.model': 'openai/gpt-4o',
      'langwatch.metrics': '{"type": "json", "value": {"promptTokens": 1000, "completionTokens": 200}}',
    },
    expect: { requested_model: 'openai/gpt-4o', ...COUNTS },
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

const agents: readonly ProducerFixture[] = [
  {
    producer: 'Claude Code',
    path: 'log events',
    source: 'docs.claude.com/en/docs/claude-code/monitoring-usage',
    scope: 'com.anthropic.claude_code.events',
    resource: { 'service.name': 'claude-code' },
    attributes: {
      'event.name': 'api_request',
      model: 'claude-sonnet-4-5',
      cost_usd: 0.0123,
      input_tokens: 18,
      output_tokens: 386,
      cache_read_tokens: 100,
      cache_creation_tokens: 7_502,
      'user.email': 'ann@example.com',
    },
    expect: { provider: 'anthropic', end_user: 'ann@example.com', input_tokens: 7_620, output_tokens: 386 },
  },
  ...(['codex.sse_event', 'codex.websocket_event'] as const).map(
    (event): ProducerFixture => ({
      producer: event === 'codex.sse_event' ? 'Codex, HTTP' : 'Codex, WebSocket',
      path: 'log events',
      source: 'openai/codex codex-rs/otel/src/events/session_telemetry.rs',
      scope: 'codex_otel',
      resource: { 'service.name': 'codex_cli_rs' },
      attributes: {
        'event.name': event,
        'event.kind': 'response.completed',
        model: 'gpt-5.6-terra',
        input_token_count: '12000',
        cached_token_count: 8_000,
        output_token_count: '900',
        reasoning_token_count: 250,
        tool_token_count: '12900',
      },
      expect: { provider: 'openai', input_tokens: 12_000, output_tokens: 900, reasoning_tokens: 250 },
    }),
  ),
  {
    producer: 'Gemini CLI',
    path: 'log events',
    source: 'google-gemini/gemini-cli packages/core/src/telemetry',
    scope: 'gemini-cli',
    resource: { 'service.name': 'gemini-cli' },
    attributes: {
      'event.name': 'gemini_cli.api_response',
      model: 'gemini-2.5-pro',
      input_token_count: 1_000,
      output_token_count: 200,
      thoughts_token_count: 150,
      total_token_count: 1_350,
    },
    expect: { provider: 'gcp.gemini', input_tokens: 1_000, output_tokens: 350 },
  },
  {
    producer: 'Qwen Code',
    path: 'log events',
    source: 'QwenLM/qwen-code packages/core/src/telemetry',
    scope: 'qwen-code',
    resource: { 'service.name': 'qwen-code' },
    attributes: {
      'event.name': 'qwen-code.api_response',
      model: 'qwen3-coder-plus',
      input_token_count: 1_000,
      output_token_count: 200,
      total_token_count: 1_200,
    },
    expect: { requested_model: 'qwen3-coder-plus', ...COUNTS },
  },
  {
    producer: 'Qwen Code',
    path: 'spans',
    source: 'QwenLM/qwen-code packages/core/src/telemetry/session-tracing.ts',
    scope: 'qwen-code',
    kind: 1,
    attributes: { 'gen_ai.request.model': 'qwen3-coder-plus', 'gen_ai.response.id': RESPONSE, ...GEN_AI },
    expect: { requested_model: 'qwen3-coder-plus', ...COUNTS },
  },
  {
    producer: 'GitHub Copilot CLI',
    path: 'spans',
    source: 'ccusage/ccusage#1364',
    scope: 'github.copilot',
    attributes: {
      ...conventions('github', 'claude-sonnet-4.6'),
      'gen_ai.response.id': 'msg_bdrk_01ca978112ca1bbdcafac231',
      ...PARTS,
    },
    expect: { provider: 'github', requested_model: 'claude-sonnet-4.6', ...COUNTS },
  },
];

const gateways: readonly ProducerFixture[] = [
  {
    producer: 'Claude Code, traces',
    path: 'spans',
    source: 'span claude_code.llm_request of Claude Code 2.1, as captured by receivers of it',
    scope: 'com.anthropic.claude_code.tracing',
    resource: { 'service.name': 'claude-code' },
    attributes: {
      'gen_ai.system': 'anthropic',
      'gen_ai.request.model': 'claude-opus-5',
      model: 'claude-opus-5',
      input_tokens: 2,
      output_tokens: 1_200,
      cache_read_tokens: 84_562,
      cache_creation_tokens: 7_096,
      request_id: 'req_011CQ7Vn2bqK9xWm4tYpZs8d',
    },
    expect: {
      requested_model: 'claude-opus-5',
      input_tokens: 91_660,
      cached_input_tokens: 84_562,
      cache_write_tokens: 7_096,
      output_tokens: 1_200,
      call_ids: ['req_011CQ7Vn2bqK9xWm4tYpZs8d'],
    },
  },
  {
    producer: 'OpenRouter, Broadcast',
    path: 'spans',
    source: 'https://openrouter.ai/docs/guides/features/broadcast/otel-collector, and receivers of it',
    scope: 'openrouter',
    resource: { 'service.name': 'openrouter' },
    attributes: {
      ...conventions('openai', 'openai/gpt-4o'),
      'gen_ai.response.id': 'gen-1795182602-Qm4x0YkF2b3X7pLw',
      'gen_ai.usage.total_tokens': 1_200,
      'gen_ai.usage.input_tokens.cached': 400,
      'gen_ai.usage.input_tokens.cache_creation': 100,
      'gen_ai.usage.output_tokens.reasoning': 50,
      'gen_ai.usage.total_cost': 0.00188,
      'trace.metadata.openrouter.api_key_name': 'production',
    },
    expect: {
      ...COUNTS,
      cached_input_tokens: 400,
      cache_write_tokens: 100,
      reasoning_tokens: 50,
      estimated_cost_usd: '0.00188',
      cost_source: 'provider',
      api_key_name: 'production',
    },
  },
  {
    producer: 'Vercel AI Gateway',
    path: 'spans',
    source: 'https://vercel.com/docs/ai-gateway, traces of Drains',
    scope: 'ai-gateway',
    kind: 2,
    resource: { 'service.name': 'ai-gateway', 'service.namespace': 'vercel' },
    attributes: {
      ...conventions('openai', 'openai/gpt-4o'),
      ...PARTS,
      'vercel.ai_gateway.cost.total': '0.0042',
      'vercel.ai_gateway.cost.currency': 'USD',
      'vercel.ai_gateway.credential.type': 'system',
      'vercel.ai_gateway.generation.id': 'gen_01K9Z4T7N2M5Q8R1V3X6Y0B4C7',
      'vercel.ai_gateway.api_key.name': 'production',
    },
    expect: {
      ...COUNTS,
      cached_input_tokens: 400,
      estimated_cost_usd: '0.0042',
      cost_source: 'provider',
      api_key_name: 'production',
      call_ids: ['gen_01K9Z4T7N2M5Q8R1V3X6Y0B4C7'],
    },
  },
  {
    producer: 'Cloudflare AI Gateway',
    path: 'spans',
    source: 'https://developers.cloudflare.com/ai-gateway/observability/otel-integration',
    kind: 2,
    resource: { 'service.name': 'ai-gateway' },
    attributes: {
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.model.provider': 'openai',
      ...GEN_AI,
      'gen_ai.usage.total_tokens': 1_200,
      'gen_ai.usage.cost': 0.0045,
    },
    expect: { ...GPT_4O, provider: 'openai', estimated_cost_usd: '0.0045', cost_source: 'estimate' },
  },
  {
    producer: 'LiteLLM',
    path: 'spans',
    source: 'BerriAI/litellm litellm/integrations/opentelemetry.py',
    scope: 'litellm',
    attributes: {
      'gen_ai.operation.name': 'acompletion',
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.id': RESPONSE,
      'gen_ai.usage.prompt_tokens': 1_000,
      'gen_ai.usage.completion_tokens': 200,
      'gen_ai.cost.total_cost': 0.0045,
    },
    expect: { provider: 'openai', ...GPT_4O },
  },
  {
    producer: 'Envoy AI Gateway',
    path: 'spans',
    source: 'envoyproxy/ai-gateway internal/tracing/openinference',
    scope: 'envoyproxy/ai-gateway',
    attributes: { ...OPENINFERENCE, 'llm.system': 'openai' },
    expect: { provider: 'openai', ...GPT_4O },
  },
];

export const producerFixtures: readonly ProducerFixture[] = [...frameworks, ...agents, ...gateways];
