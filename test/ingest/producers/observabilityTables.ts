import { COUNTS } from './conventions.ts';
import { ID, type TableFixture, TIME } from './tableFixture.ts';

export const observabilityTables: readonly TableFixture[] = [
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
    producer: 'MLflow, exported spans',
    path: 'call logs',
    source: 'mlflow/entities/span.py to_dict',
    row: {
      ...{ trace_id: 'tr-4c8f3a2b', span_id: ID, parent_span_id: null, name: 'Completions' },
      ...{ start_time_unix_nano: 1_793_534_400_000_000_000, end_time_unix_nano: 1_793_534_400_900_000_000 },
      attributes: {
        'mlflow.spanType': '"CHAT_MODEL"',
        'mlflow.llm.model': '"gpt-4o"',
        'mlflow.llm.provider': '"openai"',
        'mlflow.chat.tokenUsage': '{"input_tokens":1000,"output_tokens":200,"total_tokens":1200}',
      },
    },
    expect: { provider: 'openai' },
  },
  {
    producer: 'Weave, calls',
    path: 'call logs',
    source: 'https://docs.wandb.ai/weave/guides/tracking/costs, the summary repeats the usage of the answer',
    row: {
      ...{ id: ID, project_id: 'team/project', op_name: 'weave:///team/project/op/create:*', trace_id: ID },
      ...{ started_at: TIME, inputs: { model: 'gpt-4o' } },
      output: {
        id: 'chatcmpl-CNq8YkF2b3X7pLw0',
        model: 'gpt-4o',
        usage: {
          ...{ prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
          prompt_tokens_details: { cached_tokens: 400 },
        },
      },
      summary: {
        usage: { 'gpt-4o': { requests: 1, prompt_tokens: 1_000, completion_tokens: 200 } },
        weave: { status: 'success', latency_ms: 900 },
      },
    },
    expect: { cached_input_tokens: 400 },
  },
  {
    producer: 'LangSmith, runs with details',
    path: 'call logs',
    source: 'langchain-ai/langsmith-sdk python/langsmith/schemas.py Run, prompt_token_details',
    row: {
      ...{ id: ID, name: 'ChatAnthropic', run_type: 'llm', start_time: TIME, end_time: TIME },
      extra: { metadata: { ls_provider: 'anthropic', ls_model_name: 'gpt-4o' } },
      ...{ prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
      prompt_token_details: { cache_read: 400, cache_creation: 100 },
      completion_token_details: { reasoning: 50 },
    },
    expect: { cached_input_tokens: 400, cache_write_tokens: 100, reasoning_tokens: 50, ...COUNTS },
  },
];
