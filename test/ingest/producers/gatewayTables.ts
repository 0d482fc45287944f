import { AT, ID, type TableFixture, TIME } from './tableFixture.ts';

export const gatewayTables: readonly TableFixture[] = [
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
    producer: 'TensorZero, model inferences',
    path: 'call logs',
    source:
      'https://github.com/tensorzero/tensorzero GET /internal/model_inferences/{id}, and its table model_inferences',
    row: {
      ...{ id: ID, inference_id: ID, model_name: 'openai::gpt-4o', model_provider_name: 'openai' },
      ...{ input_tokens: 1_000, output_tokens: 200, provider_cache_read_input_tokens: 400 },
      ...{ provider_cache_write_input_tokens: null, response_time_ms: 800, cached: false, timestamp: TIME },
    },
    expect: { provider: 'openai', requested_model: 'openai::gpt-4o', cached_input_tokens: 400 },
  },
  {
    producer: 'Higress, access log',
    path: 'call logs',
    source: 'alibaba/higress plugins/wasm-go/extensions/ai-statistics/README.md, counts as text',
    row: {
      start_time: TIME,
      request_id: '8f8b1f8e-8b1f-4f8e-8b1f-8e8b1f8e8b1f',
      duration: '1200',
      response_code: '200',
      ai_log:
        '{"model":"gpt-4o","input_token":"1000","output_token":"200","cached_tokens":"400","input_token_details":"{\\"cached_tokens\\":400}","llm_service_duration":"2000"}',
    },
    expect: { cached_input_tokens: 400 },
  },
];
