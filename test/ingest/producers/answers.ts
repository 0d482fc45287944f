import { AT, ID, type TableFixture, TIME } from './tableFixture.ts';

export const answers: readonly TableFixture[] = [
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
    producer: 'Cohere, answers',
    path: 'call logs',
    source: 'https://docs.cohere.com/reference/chat',
    row: {
      ...{ id: ID, timestamp: TIME, model: 'gpt-4o', provider: 'cohere' },
      usage: {
        billed_units: { input_tokens: 1_000, output_tokens: 200 },
        tokens: { input_tokens: 1_400, output_tokens: 220 },
        cached_tokens: 1_344,
      },
    },
    expect: { provider: 'cohere' },
  },
  {
    producer: 'Gemini API, interactions',
    path: 'call logs',
    source: 'vercel/ai packages/google/src/interactions/__fixtures__/google-search.json',
    row: {
      ...{ id: 'v1_ChdiR3NIYXFQU0JLdUxtdGtQblltMHlRRRIX', object: 'interaction', status: 'completed' },
      ...{ created: TIME, updated: TIME, model: 'gemini-3-flash-preview', service_tier: 'standard' },
      steps: [{ type: 'google_search_call', arguments: 'a prompt' }, { type: 'model_output' }],
      usage: {
        ...{ total_tokens: 1_200, total_input_tokens: 900, total_output_tokens: 150 },
        ...{ total_tool_use_tokens: 100, total_thought_tokens: 50, total_cached_tokens: 400 },
        input_tokens_by_modality: [
          { modality: 'text', tokens: 700 },
          { modality: 'audio', tokens: 200 },
        ],
        tool_use_tokens_by_modality: [{ modality: 'text', tokens: 100 }],
      },
    },
    expect: {
      ...{ requested_model: 'gemini-3-flash-preview', operation: 'chat', cached_input_tokens: 400 },
      ...{ reasoning_tokens: 50, audio_input_tokens: 200, web_searches: 1 },
    },
  },
  {
    producer: 'Claude API, answers',
    path: 'call logs',
    source: 'vercel/ai packages/anthropic/src/__fixtures__',
    row: {
      ...{ timestamp: TIME, id: 'msg_01LJNXcHTfA9mndadeP29RWD', type: 'message', provider: 'anthropic' },
      ...{ model: 'claude-opus-5', content: [{ type: 'text', text: 'an answer' }] },
      usage: {
        ...{ input_tokens: 600, cache_read_input_tokens: 300, cache_creation_input_tokens: 100 },
        cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 0 },
        ...{ output_tokens: 200, output_tokens_details: { thinking_tokens: 50 }, service_tier: 'standard' },
      },
    },
    expect: {
      ...{ requested_model: 'claude-opus-5', cached_input_tokens: 300, cache_write_tokens: 100 },
      ...{ reasoning_tokens: 50, id_basis: 'response.msg' },
    },
  },
  {
    producer: 'OpenRouter, answers',
    path: 'call logs',
    source: 'pydantic/genai-prices tests/dataset/usages.json, test_openrouter_advisor_tool',
    row: {
      ...{ id: 'gen-1763600000-abcdefghijklmnop', object: 'chat.completion', provider: 'OpenAI' },
      ...{ created: Date.parse(TIME) / 1_000, model: 'openai/gpt-4o', choices: ['an answer'] },
      usage: {
        ...{ prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200, cost: 0.0160614 },
        prompt_tokens_details: { audio_tokens: 0, cache_write_tokens: 0, cached_tokens: 400 },
        cost_details: { upstream_inference_cost: null, upstream_inference_prompt_cost: 0.0025 },
      },
    },
    expect: { cached_input_tokens: 400, estimated_cost_usd: '0.0160614', cost_source: 'provider' },
  },
  {
    producer: 'xAI, answers',
    path: 'call logs',
    source: 'vercel/ai packages/xai/src/responses/__fixtures__/xai-x-search-tool.1.json',
    row: {
      ...{ id: '550e8400-e29b-41d4-a716-446655440001', object: 'response', provider: 'xai' },
      ...{ created_at: Date.parse(TIME) / 1_000, model: 'grok-4-fast-reasoning' },
      output: [
        { type: 'x_search_call', name: 'x_semantic_search', status: 'completed', arguments: 'a prompt' },
        { type: 'message', content: ['an answer'] },
      ],
      usage: {
        ...{ input_tokens: 1_000, output_tokens: 200, total_tokens: 1_200 },
        input_tokens_details: { cached_tokens: 400 },
        output_tokens_details: { reasoning_tokens: 50 },
        ...{ num_sources_used: 0, num_server_side_tools_used: 1 },
      },
    },
    expect: {
      ...{ requested_model: 'grok-4-fast-reasoning', cached_input_tokens: 400, reasoning_tokens: 50 },
      web_searches: 1,
    },
  },
];
