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
      },
    },
    expect: { provider: 'cohere' },
  },
];
