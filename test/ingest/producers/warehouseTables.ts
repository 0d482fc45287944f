import { ID, type TableFixture, TIME } from './tableFixture.ts';

export const warehouseTables: readonly TableFixture[] = [
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
];
