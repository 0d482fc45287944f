import type { ProducerFixture } from './fixture.ts';

const TIME = '2026-11-01T12:00:00.000Z';
/** Of rows without an id: at a whole hour it would be that of a sum. */
const AT = '2026-11-01T12:03:10.250Z';
const ID = '550e8400-e29b-41d4-a716-446655440000';

/** Rows of tables of calls, in the columns of their source, and what their events have besides model and counts. */
export const tables: readonly (ProducerFixture & { readonly row: Readonly<Record<string, unknown>> })[] = [
  {
    producer: 'Databricks AI Gateway, system.ai_gateway.usage',
    path: 'call logs',
    source: 'https://docs.databricks.com/aws/en/admin/system-tables/ai-gateway',
    row: {
      ...{ workspace_id: '1', request_id: ID, endpoint_name: 'chat', destination_model: 'gpt-4o' },
      ...{ requester: 'ann@example.org', event_time: TIME, latency_ms: 900, status_code: 200 },
      ...{ input_tokens: 1_000, output_tokens: 200, total_tokens: 1_200 },
      token_details: { cache_read_input_tokens: 400 },
    },
    expect: { cached_input_tokens: 400, end_user: 'ann@example.org', latency_ms: 900 },
  },
  {
    producer: 'Helicone, webhook',
    path: 'call logs',
    source: 'https://docs.helicone.ai/features/webhooks',
    row: {
      ...{ request_id: ID, user_id: 'ann', model: 'gpt-4o', provider: 'openai', created_at: TIME },
      ...{
        request_body: 'a prompt',
        response_body: 'an answer',
        request_response_url: 'https://s3.example/x',
      },
      metadata: { cost: 0.0045, promptTokens: 1_000, completionTokens: 200, totalTokens: 1_200 },
    },
    expect: { provider: 'openai', end_user: 'ann', estimated_cost_usd: '0.0045' },
  },
  {
    producer: 'Cloudflare AI Gateway, logs',
    path: 'call logs',
    source: 'https://developers.cloudflare.com/api/resources/ai_gateway/subresources/logs/',
    row: {
      ...{
        id: '01HXYZ',
        created_at: TIME,
        model: 'gpt-4o',
        provider: 'openai',
        success: true,
        cached: false,
      },
      ...{ tokens_in: 1_000, tokens_out: 200, cost: 0.0045, custom_cost: false, path: 'chat/completions' },
    },
    expect: { estimated_cost_usd: '0.0045' },
  },
  {
    producer: 'Portkey, export of logs',
    path: 'call logs',
    source: 'https://portkey.ai/docs/product/observability/logs-export',
    row: {
      ...{ id: ID, created_at: TIME, ai_org: 'openai', ai_model: 'gpt-4o', is_success: true },
      ...{ req_units: 1_000, res_units: 200, total_units: 1_200, cost: 0.45, cost_currency: 'USD' },
      request: { messages: [{ content: 'a prompt' }] },
    },
    expect: { provider: 'openai', estimated_cost_usd: '0.0045' },
  },
  {
    producer: 'Dremio, model usage',
    path: 'call logs',
    source: 'https://docs.dremio.com',
    row: {
      ...{ id: ID, user_id: 'ann', model_provider_name: 'openai', model_name: 'gpt-4o', created_at: TIME },
      ...{ input_tokens: 1_000, output_tokens: 200, duration_ms: 2_945, num_model_calls: 1 },
    },
    expect: { end_user: 'ann', latency_ms: 2_945 },
  },
  {
    producer: 'OpenRouter, generations and activity',
    path: 'call logs',
    source: 'https://openrouter.ai/docs/api-reference/get-a-generation',
    row: {
      ...{ id: ID, created_at: TIME, model: 'openai/gpt-4o', provider_name: 'OpenAI', is_byok: false },
      ...{ tokens_prompt: 980, tokens_completion: 190, native_tokens_prompt: 1_000 },
      ...{ native_tokens_completion: 200, native_tokens_cached: 400, total_cost: 0.0045, usage: 0.0045 },
    },
    expect: { cached_input_tokens: 400, estimated_cost_usd: '0.0045', cost_source: 'provider' },
  },
  {
    producer: 'LangSmith, runs',
    path: 'call logs',
    source: 'https://docs.langchain.com/langsmith/run-data-format',
    row: {
      ...{ id: ID, run_type: 'llm', start_time: TIME, prompt_tokens: 1_000, completion_tokens: 200 },
      ...{ total_tokens: 1_200, total_cost: '0.0045', prompt_cost: '0.0025', status: 'success' },
      extra: { metadata: { ls_provider: 'openai', ls_model_name: 'gpt-4o' }, inputs: 'a prompt' },
    },
    expect: { provider: 'openai', estimated_cost_usd: '0.0045' },
  },
  {
    producer: 'Langfuse, observations',
    path: 'call logs',
    source: 'https://api.reference.langfuse.com, GET /api/public/observations',
    row: {
      ...{ id: ID, type: 'GENERATION', start_time: TIME, model: 'gpt-4o', prompt_tokens: 1_000 },
      ...{ completion_tokens: 200, input: 'a prompt', calculated_total_cost: 0.004 },
      usage_details: { input: 600, input_cached_tokens: 400, output: 200, total: 1_200 },
      cost_details: { input: 0.0015, output: 0.002, total: 0.004 },
    },
    expect: { cached_input_tokens: 400, estimated_cost_usd: '0.004' },
  },
  {
    producer: 'Snowflake, CORTEX_REST_API_USAGE_HISTORY',
    path: 'call logs',
    source: 'https://docs.snowflake.com/en/sql-reference/account-usage/cortex_rest_api_usage_history',
    row: {
      ...{ request_id: ID, start_time: TIME, model_name: 'gpt-4o', tokens: 1_200, user_id: '12' },
      tokens_granular: '{ "input": 600, "output": 200, "cache_read_input": 300, "cache_write_input": 100 }',
    },
    expect: { cached_input_tokens: 300, cache_write_tokens: 100, end_user: '12' },
  },
  {
    producer: 'Apache APISIX, ai-proxy',
    path: 'call logs',
    source: 'https://apisix.apache.org/docs/apisix/plugins/ai-proxy/',
    row: {
      ...{ request_id: ID, '@timestamp': TIME, request_llm_model: 'gpt-4o', llm_model: 'gpt-4o' },
      ...{ llm_prompt_tokens: '1000', llm_completion_tokens: '200', llm_cache_read_input_tokens: '400' },
      upstream: 'https://api.openai.com/v1',
    },
    expect: { provider: 'openai', cached_input_tokens: 400 },
  },
  {
    producer: 'PostHog, generations',
    path: 'call logs',
    source: 'PostHog/posthog-python posthog/ai/utils.py',
    row: {
      ...{ uuid: ID, event: '$ai_generation', distinct_id: 'ann', timestamp: TIME },
      properties: {
        ...{ $ai_provider: 'openai', $ai_model: 'gpt-4o', $ai_input_tokens: 1_000, $ai_output_tokens: 200 },
        ...{ $ai_cache_read_input_tokens: 400, $ai_total_cost_usd: 0.004, $ai_input: 'a prompt' },
      },
    },
    expect: { provider: 'openai', cached_input_tokens: 400, end_user: 'ann', estimated_cost_usd: '0.004' },
  },
  {
    producer: 'new-api and One API, logs',
    path: 'call logs',
    source: 'QuantumNous/new-api model/log.go',
    row: {
      ...{ id: 48_211, created_at: Date.parse(TIME) / 1_000, type: 2, username: 'ann', token_name: 'prod' },
      ...{ model_name: 'gpt-4o', quota: 2_000, prompt_tokens: 1_000, completion_tokens: 200 },
      other: '{"model_ratio":1.25,"cache_tokens":400}',
    },
    expect: { cached_input_tokens: 400, end_user: 'ann', api_key_name: 'prod' },
  },
  {
    producer: 'Databricks, inference table',
    path: 'call logs',
    source: 'https://docs.databricks.com/aws/en/ai-gateway/inference-tables',
    row: {
      ...{ databricks_request_id: ID, request_time: TIME, request: '{"messages":["a prompt"]}' },
      response: JSON.stringify({
        ...{ id: 'chatcmpl-BzN5Kq0Yt7aXwLr3c9VdP2mE', model: 'gpt-4o', choices: ['an answer'] },
        usage: {
          prompt_tokens: 1_000,
          completion_tokens: 200,
          prompt_tokens_details: { cached_tokens: 400 },
        },
      }),
    },
    expect: { cached_input_tokens: 400, id_basis: 'response.chatcmpl' },
  },
  {
    producer: 'OpenAI, output of a batch',
    path: 'call logs',
    source: 'https://platform.openai.com/docs/guides/batch',
    row: {
      ...{ id: 'batch_req_673f1a', custom_id: 'a' },
      response: {
        status_code: 200,
        body: {
          ...{ id: 'chatcmpl-BzN5Kq0Yt7aXwLr3c9VdP2mE', object: 'chat.completion', model: 'gpt-4o' },
          ...{ created: Date.parse(TIME) / 1_000, choices: ['an answer'] },
          usage: { prompt_tokens: 1_000, completion_tokens: 200 },
        },
      },
    },
    expect: { batch: true, id_basis: 'response.chatcmpl' },
  },
  {
    producer: 'Braintrust, logs',
    path: 'call logs',
    source: 'https://www.braintrust.dev/docs/reference/sql, project_logs',
    row: {
      ...{ id: ID, created: TIME, span_attributes: { name: 'Chat Completion', type: 'llm' } },
      metrics: { prompt_tokens: 1_000, completion_tokens: 200, tokens: 1_200, prompt_cached_tokens: 400 },
      metadata: { model: 'gpt-4o', provider: 'openai' },
      input: ['a prompt'],
    },
    expect: { provider: 'openai', cached_input_tokens: 400 },
  },
  {
    producer: 'Arize Phoenix, spans',
    path: 'call logs',
    source: 'Arize-ai/phoenix packages/phoenix-client, get_spans_dataframe',
    row: {
      ...{ 'context.span_id': 'a1b2c3d4e5f60719', span_kind: 'LLM', start_time: TIME },
      ...{ 'attributes.llm.model_name': 'gpt-4o', 'attributes.llm.provider': 'openai' },
      ...{ 'attributes.llm.token_count.prompt': 1_000, 'attributes.llm.token_count.completion': 200 },
      ...{
        'attributes.llm.token_count.prompt_details.cache_read': 400,
        'attributes.input.value': 'a prompt',
      },
    },
    expect: { provider: 'openai', cached_input_tokens: 400 },
  },
  {
    producer: 'Datadog, LLM Observability',
    path: 'call logs',
    source: 'https://docs.datadoghq.com/llm_observability/evaluations/export_api',
    row: {
      ...{ id: ID, type: 'span' },
      attributes: {
        ...{ span_kind: 'llm', start_ms: Date.parse(TIME), model_name: 'gpt-4o', model_provider: 'openai' },
        // In billionths of a dollar, which its name does not say.
        metrics: {
          input_tokens: 1_000,
          output_tokens: 200,
          cache_read_input_tokens: 400,
          total_cost: 4_000_000,
        },
        input: { value: 'a prompt' },
      },
    },
    expect: { provider: 'openai', cached_input_tokens: 400 },
  },
  {
    producer: 'Kong AI Gateway, log plugins',
    path: 'call logs',
    source: 'https://developer.konghq.com/ai-gateway/ai-audit-log-reference/',
    row: {
      ...{ request: { id: ID, method: 'POST' }, started_at: Date.parse(TIME), response: { status: 200 } },
      ai: {
        proxy: {
          meta: { provider_name: 'openai', request_model: 'gpt-4o', response_model: 'gpt-4o' },
          usage: { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200, time_per_token: 5 },
          payload: { request: 'a prompt' },
        },
      },
    },
    expect: { provider: 'openai' },
  },
  {
    producer: 'Cloudflare AI Gateway, Logpush',
    path: 'call logs',
    source: 'https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/account/ai_gateway_events/',
    row: {
      ...{ Timestamp: Date.parse(AT), Gateway: 'prod', Endpoint: 'chat/completions', Cached: false },
      ...{ Model: 'gpt-4o', RequestedModel: 'gpt-4o', Provider: 'openai', StatusCode: 200 },
      ...{ RoutingDecisionID: '', Metadata: { team: 'search' }, RateLimited: false },
      Metrics: { tokensIn: 1_000, tokensOut: 200, cost: 0.0045, durationMs: 900 },
    },
    expect: { occurred_at: AT, estimated_cost_usd: '0.0045', attributed_identity: 'search', latency_ms: 900 },
  },
  {
    producer: 'Cursor, export of usage events',
    path: 'call logs',
    source: 'https://cursor.com/docs/account/teams/analytics',
    row: {
      ...{ Date: AT, Kind: 'Included in Pro', Model: 'gpt-4o', 'Max Mode': 'No', Cost: 'Included' },
      ...{ 'Input (w/ Cache Write)': '100', 'Input (w/o Cache Write)': '500', 'Cache Read': '400' },
      ...{ 'Output Tokens': '200', 'Total Tokens': '1200' },
    },
    expect: {
      ...{ occurred_at: AT, cached_input_tokens: 400, cache_write_tokens: 100 },
      billing_mode: 'subscription',
    },
  },
  {
    producer: 'Snowflake, CORTEX_CODE_CLI_USAGE_HISTORY',
    path: 'call logs',
    source: 'https://docs.snowflake.com/en/sql-reference/account-usage/cortex_code_cli_usage_history',
    row: {
      ...{ REQUEST_ID: ID, USER_NAME: 'ann', USAGE_TIME: TIME, TOKEN_CREDITS: 0.01, TOKENS: 1_200 },
      TOKENS_GRANULAR: {
        'claude-sonnet-4-5': { input: 500, cache_read_input: 400, cache_write_input: 100, output: 200 },
      },
      CREDITS_GRANULAR: { 'claude-sonnet-4-5': { input: 0.004, output: 0.006 } },
      METADATA: { inference_region: 'aws_us_west_2' },
    },
    expect: {
      ...{ provider: 'snowflake', requested_model: 'claude-sonnet-4-5', end_user: 'ann' },
      ...{ cached_input_tokens: 400, cache_write_tokens: 100, inference_region: 'us-west-2' },
    },
  },
  {
    producer: 'Databricks, system.serving.endpoint_usage with served entities',
    path: 'call logs',
    source: 'https://docs.databricks.com/aws/en/admin/system-tables/model-serving-cost',
    row: {
      ...{ databricks_request_id: ID, requester: 'ann', request_time: TIME, status_code: 200 },
      ...{ input_token_count: 1_000, output_token_count: 200, input_character_count: 4_000 },
      ...{
        endpoint_name: 'chat',
        entity_name: 'system.ai.llama-4-maverick',
        entity_type: 'FOUNDATION_MODEL',
      },
    },
    expect: { provider: 'databricks', requested_model: 'system.ai.llama-4-maverick', end_user: 'ann' },
  },
  {
    producer: 'Application Insights, dependencies',
    path: 'call logs',
    source: 'https://learn.microsoft.com/azure/azure-monitor/reference/tables/appdependencies',
    row: {
      ...{ TimeGenerated: TIME, Id: 'a1b2c3d4e5f60719', Name: 'chat gpt-4o', DurationMs: 900, Success: true },
      Properties: JSON.stringify({
        ...{
          'gen_ai.operation.name': 'chat',
          'gen_ai.system': 'az.ai.openai',
          'gen_ai.request.model': 'gpt-4o',
        },
        ...{ 'gen_ai.response.id': `chatcmpl-${ID}`, 'gen_ai.usage.input_tokens': '1000' },
        ...{ 'gen_ai.usage.output_tokens': '200', 'gen_ai.input.messages': 'a prompt' },
      }),
    },
    expect: { provider: 'az.ai.openai', id_basis: 'response.chatcmpl', latency_ms: 900 },
  },
  {
    producer: 'Vertex AI, output of a batch',
    path: 'call logs',
    source: 'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/batch-prediction-gemini',
    row: {
      ...{ status: '', processed_time: TIME, request: { contents: [{ text: 'a prompt' }] } },
      response: {
        ...{ responseId: ID, createTime: TIME, modelVersion: 'gemini-2.5-flash' },
        candidates: [{ content: 'an answer' }],
        usageMetadata: {
          ...{ promptTokenCount: 1_000, candidatesTokenCount: 150, thoughtsTokenCount: 50 },
          ...{ cachedContentTokenCount: 400, totalTokenCount: 1_200 },
        },
      },
    },
    expect: {
      ...{ requested_model: 'gemini-2.5-flash', batch: true, id_basis: 'response' },
      ...{ cached_input_tokens: 400, reasoning_tokens: 50 },
    },
  },
  {
    producer: 'Ollama, answers',
    path: 'call logs',
    source: 'https://github.com/ollama/ollama/blob/main/docs/api.md',
    row: {
      ...{
        model: 'llama3.2',
        created_at: AT,
        response: 'an answer',
        done: true,
        total_duration: 10_706_818_083,
      },
      ...{
        prompt_eval_count: 1_000,
        prompt_eval_duration: 130_079_000,
        eval_count: 200,
        eval_duration: 4_232,
      },
    },
    expect: { provider: 'ollama', requested_model: 'llama3.2', occurred_at: AT },
  },
  {
    producer: 'Amazon Bedrock, answers of Converse',
    path: 'call logs',
    source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html',
    row: {
      ...{ timestamp: TIME, requestId: ID, modelId: 'us.anthropic.claude-haiku-4-5-20251001-v1:0' },
      ...{ output: { message: 'an answer' }, metrics: { latencyMs: 900 } },
      usage: { inputTokens: 600, outputTokens: 200, totalTokens: 1_200, cacheReadInputTokens: 400 },
    },
    expect: { requested_model: 'us.anthropic.claude-haiku-4-5-20251001-v1:0', cached_input_tokens: 400 },
  },
  {
    producer: 'Gemini API, answers',
    path: 'call logs',
    source: 'https://ai.google.dev/api/generate-content#UsageMetadata',
    row: {
      ...{ timestamp: TIME, responseId: 'mBq1aZ-0123456789abc', modelVersion: 'gemini-2.5-flash' },
      candidates: [{ content: 'an answer' }],
      usageMetadata: {
        ...{ promptTokenCount: 1_000, candidatesTokenCount: 150, thoughtsTokenCount: 50 },
        totalTokenCount: 1_200,
      },
    },
    expect: { requested_model: 'gemini-2.5-flash', reasoning_tokens: 50, id_basis: 'response' },
  },
  {
    producer: 'OpenCode, messages',
    path: 'call logs',
    source: 'https://github.com/sst/opencode packages/opencode/src/session/message-v2.ts',
    row: {
      ...{
        id: 'msg_8f2c1d0b7a6e',
        sessionID: 'ses_1',
        role: 'assistant',
        modelID: 'gpt-4o',
        providerID: 'openai',
      },
      ...{ time: { created: Date.parse(TIME), completed: Date.parse(TIME) + 900 }, cost: 0.004 },
      tokens: { input: 600, output: 200, reasoning: 0, cache: { read: 400, write: 0 }, total: 1_200 },
    },
    expect: { provider: 'openai', cached_input_tokens: 400 },
  },
  {
    producer: 'Opik, spans',
    path: 'call logs',
    source: 'https://github.com/comet-ml/opik sdks/python/src/opik/llm_usage',
    row: {
      ...{ id: ID, trace_id: ID, type: 'llm', model: 'gpt-4o', provider: 'openai', start_time: TIME },
      ...{ input: { messages: 'a prompt' }, output: 'an answer', total_estimated_cost: 0.004 },
      usage: {
        ...{ prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
        'original_usage.prompt_tokens': 1_000,
        'original_usage.prompt_tokens_details.cached_tokens': 400,
      },
    },
    expect: { provider: 'openai', cached_input_tokens: 400 },
  },
  {
    producer: 'Dify, messages',
    path: 'call logs',
    source: 'https://docs.dify.ai/api-reference/conversations/get-conversation-history-messages',
    row: {
      ...{ id: ID, conversation_id: ID, model_provider: 'openai', model_id: 'gpt-4o', created_at: TIME },
      ...{ query: 'a prompt', answer: 'an answer', message_tokens: 1_000, answer_tokens: 200 },
    },
    expect: { provider: 'openai' },
  },
  {
    producer: 'WSO2 AI gateway, analytics',
    path: 'call logs',
    source: 'https://apim.docs.wso2.com/en/latest/monitoring/api-analytics/on-prem/elk-installation-guide/',
    row: {
      ...{ correlation_id: ID, request_timestamp: TIME, proxy_response_code: 200 },
      request_id: ID,
      properties: {
        ai_metadata: { vendor_name: 'openai', model: 'gpt-4o' },
        ai_token_usage: { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
      },
    },
    expect: { provider: 'openai' },
  },
  {
    producer: 'llm command line tool, logs',
    path: 'call logs',
    source: 'https://llm.datasette.io/en/stable/logging.html',
    row: {
      ...{ id: ID, model: 'gpt-4o', prompt: 'a prompt', response: 'an answer', datetime_utc: TIME },
      ...{ duration_ms: 900, input_tokens: 1_000, output_tokens: 200 },
      token_details: '{"prompt_tokens_details": {"cached_tokens": 400}}',
    },
    expect: { cached_input_tokens: 400, latency_ms: 900 },
  },
  {
    producer: 'OpenAI Agents, exported traces',
    path: 'call logs',
    source: 'openai/openai-agents-python src/agents/tracing/span_data.py GenerationSpanData',
    row: {
      ...{ object: 'trace.span', id: ID, trace_id: 'trace_1', parent_id: null, error: null },
      ...{ started_at: TIME, ended_at: TIME },
      span_data: {
        ...{ type: 'generation', model: 'gpt-4o', model_config: { temperature: 1 } },
        ...{ input: [{ content: 'a prompt' }], output: [{ content: 'an answer' }] },
        usage: { input_tokens: 1_000, output_tokens: 200 },
      },
    },
    expect: { operation: 'chat' },
  },
  {
    producer: 'Dify, nodes of a workflow',
    path: 'call logs',
    source: 'langgenius/dify api/core/workflow/nodes/llm/node.py, process_data',
    row: {
      ...{ id: ID, node_type: 'llm', status: 'succeeded', created_at: Date.parse(TIME) / 1_000 },
      process_data: {
        ...{ model_mode: 'chat', model_provider: 'langgenius/openai/openai', model_name: 'gpt-4o' },
        usage: { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
      },
    },
    expect: { provider: 'openai' },
  },
  {
    producer: 'Envoy AI Gateway, access log in JSON',
    path: 'call logs',
    source: 'envoyproxy/ai-gateway examples/access-log/basic.yaml, until version 0.3',
    row: {
      ...{ 'x-request-id': ID, start_time: TIME, method: 'POST', response_code: 200 },
      ...{ genai_model_name: 'gpt-4o', genai_tokens_input: '1000', genai_tokens_output: '200' },
    },
    expect: {},
  },
  {
    producer: 'Cohere, answers',
    path: 'call logs',
    source: 'https://docs.cohere.com/reference/chat',
    row: {
      ...{ id: ID, timestamp: TIME, model: 'gpt-4o', provider: 'cohere' },
      usage: {
        billed_units: { input_tokens: 1_000, output_tokens: 200 },
        tokens: { input_tokens: 1_400, output_tokens: 220 },
      },
    },
    expect: { provider: 'cohere' },
  },
];
