import { AT, ID, type TableFixture, TIME } from './tableFixture.ts';

export const applicationTables: readonly TableFixture[] = [
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
];
